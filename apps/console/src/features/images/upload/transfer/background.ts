/** Uploads that continue after their form is closed, as long as the page is open. */
import { holdUnsaved, onSignedIn } from '#/api/session.ts'
import { createStore } from '#/lib/store.ts'
import { toActivity } from '#/resource/actions/activity.ts'
import { addFailure } from '#/resource/actions/toasts.tsx'
import { holdPage } from '#/resource/list/holdPage.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import type { Details } from './calls.ts'
import type { Upload, UploadRequest } from '../upload.ts'
import type { Disk } from '#/features/disks/disks.tsx'

/** The file to upload, and the disk of an interrupted upload to resume, if any. */
export interface UploadPlan {
  project: string
  file: File
  blockSize: UploadRequest['blockSize']
  resumeDisk: Disk | undefined
}
/** An upload and its file reader. Close the reader at the end. */
export interface Open {
  upload: Upload
  plan: UploadPlan
  close: () => void
}
export interface BackgroundUpload extends Open {
  details: Details
  /** Runs it again after a failure. */
  again: () => void
  /** Cancels the upload and removes the resources that it created. */
  cancel: () => void
  /** Removes the upload from the list. It must have no leftovers. */
  forget: () => void
}

export const backgroundUploads = createStore<readonly BackgroundUpload[]>([])
export const isInBackground = ({ upload }: Open): boolean =>
  backgroundUploads.get().some((one) => one.upload === upload)

/** Resumes the upload when the connection or session returns, until the returned function is called. */
export function follow({ upload }: Open): () => void {
  const online = () => upload.resume('connection')
  const leave = () => upload.saveProgress()
  window.addEventListener('online', online)
  window.addEventListener('pagehide', leave)
  const unsubscribe = onSignedIn(() => upload.resume('session'))
  return () => {
    window.removeEventListener('online', online)
    window.removeEventListener('pagehide', leave)
    unsubscribe()
  }
}

/** Lets an upload continue after its form is closed. A toast reports its end; failed uploads stay in the list. */
export function moveToBackground(open: Open, details: Details): void {
  const { upload } = open
  const stops: (() => void)[] = []
  const stop = () => {
    for (const one of stops.splice(0)) one()
  }
  const forget = () => {
    stop()
    open.close()
    backgroundUploads.set(backgroundUploads.get().filter((one) => one.upload !== upload))
  }
  const run = () => {
    stops.push(follow(open), holdPage(), holdUnsaved())
    void upload.run(details).then(ended)
  }
  const ended = () => {
    stop()
    const { stage } = upload.state
    if (stage.at === 'failed')
      addFailure({ title: `Could not upload image ${details.name}`, action: toActivity }, stage.problem)
    if (stage.at !== 'done') return
    const hasLeft = stage.leftovers.length > 0
    addToast({
      content: `Image ${details.name} uploaded${hasLeft ? ', with temporary resources left' : ''}`,
      ...(hasLeft ? { action: toActivity } : {}),
    })
    if (!hasLeft) forget()
  }
  const cancel = () =>
    void upload.cancel().then(() => {
      const { stage } = upload.state
      if (stage.at !== 'cancelled' || stage.leftovers.length === 0) forget()
    })
  backgroundUploads.set([...backgroundUploads.get(), { ...open, details, again: run, cancel, forget }])
  run()
}
