/** Uploads that go on after their form was closed, for as long as the page is there. */
import { holdUnsaved, onSignedIn } from '#/api/session.ts'
import { toActivity } from '#/resource/actions/activity.ts'
import { holdPage } from '#/resource/list/holdPage.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import type { Details } from './calls.ts'
import type { Upload, UploadRequest } from '../upload.ts'
import type { Disk } from '#/features/disks/disks.tsx'

/** What is uploaded, and the disk to resume with, if any. */
export interface UploadPlan {
  project: string
  file: File
  blockSize: UploadRequest['blockSize']
  resumeDisk: Disk | undefined
}
/** An upload and its file reader, which must be closed at the end. */
export interface Open {
  upload: Upload
  plan: UploadPlan
  close: () => void
}
export interface Kept extends Open {
  details: Details
  /** Runs it again after a failure. */
  again: () => void
  /** Ends it and removes what it has made. */
  cancel: () => void
  /** Takes it from the list: nothing of it is left. */
  forget: () => void
}

let kept: readonly Kept[] = []
const listeners = new Set<() => void>()
function set(next: readonly Kept[]): void {
  kept = next
  for (const listener of listeners) listener()
}
export const keptUploads = {
  get: (): readonly Kept[] => kept,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
export const isKept = ({ upload }: Open): boolean => kept.some((one) => one.upload === upload)

/** Resumes an upload when the connection or session is back, until the returned function is called. */
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

/** Lets an upload go on without its form. Its end is told in a toast; what fails stays in the list. */
export function keep(open: Open, details: Details): void {
  const { upload } = open
  const stops: (() => void)[] = []
  const stop = () => {
    for (const one of stops.splice(0)) one()
  }
  const forget = () => {
    stop()
    open.close()
    set(kept.filter((one) => one.upload !== upload))
  }
  const run = () => {
    stops.push(follow(open), holdPage(), holdUnsaved())
    void upload.run(details).then(ended)
  }
  const ended = () => {
    stop()
    const { stage } = upload.state
    if (stage.at === 'failed')
      addToast({
        variant: 'error',
        title: `Could not upload image ${details.name}`,
        content: stage.problem.message,
        action: toActivity,
      })
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
  set([...kept, { ...open, details, again: run, cancel, forget }])
  run()
}
