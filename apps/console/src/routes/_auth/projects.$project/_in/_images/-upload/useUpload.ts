/** The upload of a form: started, held up and given up by the person, and cleaned up after when the form goes. */
import { diskList } from '@purlin/contract/operations/disks'
import { imageList } from '@purlin/contract/operations/images'
import { snapshotList } from '@purlin/contract/operations/snapshots'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { invalidate } from '../../../../../../api.ts'
import type { Disk } from '../../../../../../parts/disk/disks.tsx'
import { records, takeLock } from '../../../../../../parts/disk/importsHere.ts'
import { send, sendIfThere } from '../../../../../../send.ts'
import { onSignedIn } from '../../../../../../session.ts'
import type { Details } from './calls.ts'
import { openFile } from './reader.ts'
import { Upload, type Wish } from './upload.ts'

/** What is to be uploaded. */
export interface Wanted {
  project: string
  file: File
  blockSize: Wish['blockSize']
  adopt: Disk | undefined
}
type Decision = 'again' | 'back' | 'done'

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })

/** An upload with the file that it reads, which must be closed in the end. */
interface Open {
  upload: Upload
  wanted: Wanted
  close: () => void
}
function open(wanted: Wanted): Open {
  const reader = openFile(wanted.file)
  const surroundings = {
    send,
    sendIfThere,
    reader,
    wait,
    records,
    takeLock,
    now: () => performance.now(),
    changed: () => void invalidate(diskList, snapshotList, imageList),
  }
  return { upload: new Upload(surroundings, wanted), wanted, close: () => reader.close() }
}
const giveBack = async ({ upload, close }: Open): Promise<void> => {
  await upload.discard()
  close()
}

/** What happens outside of the page lets an upload go on; that the form goes gives it up. */
function useOutside(current: Open | undefined): void {
  useEffect(() => {
    if (!current) return
    const { upload } = current
    const online = () => upload.resume('connection')
    const leave = () => upload.keep()
    window.addEventListener('online', online)
    window.addEventListener('pagehide', leave)
    const forget = onSignedIn(() => upload.resume('session'))
    return () => {
      window.removeEventListener('online', online)
      window.removeEventListener('pagehide', leave)
      forget()
      // The form is gone, or another file was chosen: nothing is left behind for nobody to find.
      void giveBack(current)
    }
  }, [current])
}

/** Leaving the page while an upload goes on: the browser asks about the tab, the form about moves within the app. */
function useLeaving() {
  const isBusy = useRef(false)
  const blocker = useBlocker({
    shouldBlockFn: () => isBusy.current,
    enableBeforeUnload: () => isBusy.current,
    withResolver: true,
  })
  return {
    setBusy: (is: boolean) => void (isBusy.current = is),
    isAsked: blocker.status === 'blocked',
    stay: () => blocker.status === 'blocked' && blocker.reset(),
    proceed: () => {
      isBusy.current = false
      if (blocker.status === 'blocked') blocker.proceed()
    },
  }
}

const silent = () => () => undefined

export function useUpload() {
  const [current, setCurrent] = useState<Open>()
  const [isShown, setShown] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const decide = useRef<(decision: Decision) => void>(undefined)
  const ending = useRef<Promise<void>>(undefined)
  const state = useSyncExternalStore(current?.upload.subscribe ?? silent, () => current?.upload.state)

  const leaving = useLeaving()
  useOutside(current)

  /** Uploads until the person is back in the form, or done. Throws what they are to mend, if only that is missing. */
  async function run(details: Details, wanted: Wanted): Promise<'back' | 'done'> {
    const mine = current?.upload.isKept && isSame(current.wanted, wanted) ? current : open(wanted)
    setCurrent(mine)
    setShown(true)
    leaving.setBusy(true)
    try {
      for (;;) {
        await mine.upload.run(details)
        await ending.current
        const { stage } = mine.upload.state
        if (stage.at === 'over') return 'back'
        const problem = stage.at === 'failed' ? stage.problem : undefined
        leaving.setBusy(stage.at !== 'done')
        setShown(true)
        const decision = await new Promise<Decision>((resolve) => (decide.current = resolve))
        if (decision === 'done') return 'done'
        if (decision === 'again') continue
        setShown(false)
        if (!mine.upload.isKept) await mine.upload.discard()
        else if (problem?.refusal) throw problem.refusal
        return 'back'
      }
    } finally {
      leaving.setBusy(false)
      setShown(false)
    }
  }

  async function giveUp(): Promise<void> {
    setAsking(false)
    setShown(false)
    ending.current = current?.upload.discard()
    // What failed waits for a decision, which this is.
    decide.current?.('back')
    await ending.current
    leaving.proceed()
  }
  const stay = () => {
    setAsking(false)
    leaving.stay()
  }
  const canBeGivenUp =
    state?.stage.at === 'running' || state?.stage.at === 'paused' || state?.stage.at === 'failed'
  return {
    current,
    state,
    isShown,
    isAsking: (isAsking || leaving.isAsked) && canBeGivenUp,
    run,
    /** Removes what a kept upload has made, e.g. because another file was chosen. */
    forget: () => setCurrent(undefined),
    giveUp: () => void giveUp(),
    stay,
    on: {
      cancel: () => setAsking(true),
      pause: () => current?.upload.pause(),
      resume: () => current?.upload.resume(),
      again: () => decide.current?.('again'),
      back: () => decide.current?.('back'),
      done: () => decide.current?.('done'),
      tidy: () => current?.upload.tidy(),
    },
  }
}

const isSame = (a: Wanted, b: Wanted) =>
  a.project === b.project && a.file === b.file && a.blockSize === b.blockSize
