/** The upload of a form. Unmounting the form cancels it, unless it continues in the background. */
import { diskList } from '@purlin/contract/operations/storage/disks'
import { imageList } from '@purlin/contract/operations/storage/images'
import { snapshotList } from '@purlin/contract/operations/storage/snapshots'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { invalidate } from '#/api/query.ts'
import { records, takeLock } from '#/features/disks/imports/uploadRecords.ts'
import type { Details } from './transfer/calls.ts'
import {
  follow,
  isInBackground,
  moveToBackground,
  type Open,
  type UploadPlan,
} from './transfer/background.ts'
import { openFile } from './transfer/reader.ts'
import type { UploadState } from './state.ts'
import { Upload } from './upload.ts'

export type { UploadPlan }

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

function open(plan: UploadPlan): Open {
  const reader = openFile(plan.file)
  const environment = {
    reader,
    wait,
    records,
    takeLock,
    now: () => performance.now(),
    changed: () => void invalidate(diskList, snapshotList, imageList),
  }
  return { upload: new Upload(environment, plan), plan, close: () => reader.close() }
}
const cancelAndClose = async ({ upload, close }: Open): Promise<void> => {
  await upload.cancel()
  close()
}

/** Resumes an upload when the connection or session is back, and cancels it when the form unmounts, unless it is kept. */
function useLifecycle(current: Open | undefined): void {
  useEffect(() => {
    if (!current) return
    const stop = follow(current)
    return () => {
      stop()
      // The form was closed or another file was chosen: nothing may be left behind.
      if (!isInBackground(current)) void cancelAndClose(current)
    }
  }, [current])
}

/** Asks before an upload is left: the browser when the tab is closed, the form for navigation in the app. */
function useLeaveGuard() {
  const isBusy = useRef(false)
  const blocker = useBlocker({
    shouldBlockFn: () => isBusy.current,
    enableBeforeUnload: () => isBusy.current,
    withResolver: true,
  })
  return {
    setBusy: (is: boolean) => void (isBusy.current = is),
    isBlocked: blocker.status === 'blocked',
    stay: () => blocker.status === 'blocked' && blocker.reset(),
    proceed: () => {
      isBusy.current = false
      if (blocker.status === 'blocked') blocker.proceed()
    },
  }
}

const neverChanges = () => () => undefined

export function useUpload() {
  const [current, setCurrent] = useState<Open>()
  const [isShown, setShown] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const decide = useRef<(decision: Decision) => void>(undefined)
  const ending = useRef<Promise<void>>(undefined)
  const hide = useRef<() => void>(undefined)
  const state = useSyncExternalStore(current?.upload.subscribe ?? neverChanges, () => current?.upload.state)

  const leaving = useLeaveGuard()
  useLifecycle(current)

  /** Uploads until the user is done or goes back to the form. Throws an error that can be corrected in the form. */
  async function run(details: Details, plan: UploadPlan): Promise<'back' | 'done'> {
    const mine = current?.upload.isFileUploaded && isSame(current.plan, plan) ? current : open(plan)
    setCurrent(mine)
    setShown(true)
    leaving.setBusy(true)
    try {
      for (;;) {
        if (await isHiddenBefore(mine.upload.run(details), hide)) {
          moveToBackground(mine, details)
          return 'done'
        }
        await ending.current
        const { stage } = mine.upload.state
        if (stage.at === 'cancelled') return 'back'
        const problem = stage.at === 'failed' ? stage.problem : undefined
        leaving.setBusy(stage.at !== 'done')
        setShown(true)
        const decision = await new Promise<Decision>((resolve) => (decide.current = resolve))
        if (decision === 'done') return 'done'
        if (decision === 'again') continue
        setShown(false)
        if (!mine.upload.isFileUploaded) await mine.upload.cancel()
        else if (problem?.apiError) throw problem.apiError
        return 'back'
      }
    } finally {
      leaving.setBusy(false)
      setShown(false)
    }
  }

  async function cancel(): Promise<void> {
    setAsking(false)
    setShown(false)
    ending.current = current?.upload.cancel()
    // A failed upload waits for a decision.
    decide.current?.('back')
    await ending.current
    leaving.proceed()
  }
  const stay = () => {
    setAsking(false)
    leaving.stay()
  }
  return {
    current,
    state,
    isShown,
    isAsking: (isAsking || leaving.isBlocked) && canBeCancelled(state),
    run,
    /** Cancels a failed upload, e.g. because another file was chosen. */
    dismiss: () => setCurrent(undefined),
    cancel: () => void cancel(),
    stay,
    on: {
      cancel: () => setAsking(true),
      hide: () => hide.current?.(),
      pause: () => current?.upload.pause(),
      resume: () => current?.upload.resume(),
      again: () => decide.current?.('again'),
      back: () => decide.current?.('back'),
      done: () => decide.current?.('done'),
      removeLeftovers: () => current?.upload.removeLeftovers(),
    },
  }
}

const canBeCancelled = (state: UploadState | undefined): boolean =>
  state?.stage.at === 'running' || state?.stage.at === 'paused' || state?.stage.at === 'failed'

/** True as soon as `hide` is called, unless the upload has ended before. */
function isHiddenBefore(end: Promise<void>, hide: { current: (() => void) | undefined }): Promise<boolean> {
  const hidden = Promise.withResolvers<boolean>()
  hide.current = () => hidden.resolve(true)
  return Promise.race([end.then(() => false), hidden.promise])
}

const isSame = (a: UploadPlan, b: UploadPlan) =>
  a.project === b.project && a.file === b.file && a.blockSize === b.blockSize
