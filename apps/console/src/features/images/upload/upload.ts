/**
 * An upload from file to image, independent of the page. It runs its steps in order. A lost connection or session
 * pauses it. A failure stops it at a step, from which it can be retried. Cancelling removes everything that it has
 * created, by names that are chosen before anything is created.
 *
 * An upload can be resumed after its page was closed: the description of its disk names the file (disks/imports),
 * and this browser has a record of how much was sent, with a checksum (disks/uploadRecords). The beginning of the
 * file is compared with the record before the rest is sent. The control plane offers no way to read blocks back,
 * so nothing is resumed without a record. Between the checkpoint of a record and its reach, the disk may hold
 * chunks of another file: there zeros are sent as well, which a new disk holds already.
 *
 * An upload holds the lock of its disk for as long as it may write into the disk or delete it.
 */
import { limits, MiB } from '@purlin/contract/rules/limits'
import type { Disk } from '#/features/disks/disks.tsx'
import { newDiskName, type FileFacts } from '#/features/disks/imports/imports.ts'
import type { Records, Sent } from '#/features/disks/imports/uploadRecords.ts'
import { createListeners } from '#/lib/store.ts'
import { ApiError } from '#/api/send.ts'
import { createCalls, type Calls, type Details, type Leftover } from './transfer/calls.ts'
import { matchesSent } from './transfer/matchesSent.ts'
import { createPauseControl, type PauseReason } from './transfer/pauseControl.ts'
import type { ChunkReader } from './transfer/reader.ts'
import { sendChunks } from './transfer/sendChunks.ts'
import {
  interruption,
  problemOf,
  stepIndex,
  steps,
  type Stage,
  type StepKey,
  type UploadState,
} from './state.ts'
import { createTracker, start } from './tracker.ts'
import { createRateEstimate } from './transfer/transferRate.ts'

/** The dependencies of an upload. */
export interface UploadEnvironment {
  reader: ChunkReader
  records: Pick<Records, 'read' | 'keep'>
  /** Takes the lock of a disk and gives the function that releases it; undefined if another upload holds it. */
  takeLock: (disk: string) => Promise<(() => void) | undefined>
  now: () => number
  /** Resolves after a while, or as soon as the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called when lists have become stale. */
  changed: () => void
}
export interface UploadRequest {
  project: string
  file: FileFacts
  blockSize: 512 | 2048 | 4096
  /** The disk of an interrupted upload, which is resumed if the file is the same. */
  resumeDisk?: Disk | undefined
}

const { chunk: chunkSize } = limits.bulkWrite
const second = 1000
/** Delays before reconnecting; the last one repeats. */
const reconnectDelays = [1, 2, 4, 8, 15].map((seconds) => seconds * second)
/** Delays before a chunk is sent again after a server error; then the step fails. */
const retryDelays = [second, 2 * second]
const notifyEveryMs = second / 5
const saveEveryMs = second
/** The saved reach is this far ahead of what is sent, so that it is rarely saved. */
const reachAhead = 64 * MiB

export class Upload {
  readonly #env: UploadEnvironment
  readonly #request: UploadRequest
  readonly #calls: Calls
  readonly #listeners = createListeners()
  readonly #pauses = createPauseControl(() => this.#notify())
  readonly #rate
  #state: UploadState = { stage: { at: 'running' }, step: 0, done: 0, speed: undefined, isComparing: false }
  #abort = new AbortController()
  #running: Promise<void> | undefined
  #cancelling: Promise<void> | undefined
  #isCancelled = false
  #details: Details = { name: '', description: '', os: '', version: '' }
  #diskName = newDiskName()
  #disk: Disk | undefined
  /** Until it is known whether it can be resumed. */
  #resumeDisk: Disk | undefined
  #release: (() => void) | undefined
  #snapshotId = ''
  #imageId: string | undefined
  #tracker = createTracker(start)
  #reach = 0
  /** Before this offset the disk may hold data of an earlier file. */
  #staleBefore = 0
  #failedAttempts = 0
  #notifiedAt = 0
  #savedAt = 0

  constructor(env: UploadEnvironment, request: UploadRequest) {
    this.#env = env
    this.#request = request
    this.#calls = createCalls(request.project)
    this.#rate = createRateEstimate(env.now)
    this.#resumeDisk = request.resumeDisk
  }

  get state(): UploadState {
    return this.#state
  }
  /** The disk that it creates or resumes. */
  get diskName(): string {
    return this.#diskName
  }
  readonly subscribe = this.#listeners.subscribe

  /** True if only creating the image has failed: the snapshot is kept for a retry with other details. */
  get isFileUploaded(): boolean {
    return this.#state.stage.at === 'failed' && this.#state.step === stepIndex('createImage')
  }

  /** Runs from the first step that is not done. Ends with the stage 'failed' or 'done', or any if cancelled. */
  run(details: Details): Promise<void> {
    this.#details = details
    this.#running ??= this.#runSteps().finally(() => (this.#running = undefined))
    return this.#running
  }

  pause(): void {
    this.#pauses.pause('user')
  }
  /** Resumes after any pause, or only after one with this reason. */
  resume(reason?: PauseReason): void {
    if (reason === undefined || this.#pauses.reason === reason) this.#pauses.resume()
  }

  /** Saves the progress. To be called when the page is closed; otherwise it is saved regularly. */
  saveProgress(): void {
    if (this.#state.step === stepIndex('sendFile') && !this.#isCancelled) this.#saveRecord()
  }
  #saveRecord(): void {
    if (this.#disk) this.#env.records.keep(this.#disk.id, { ...this.#tracker.checkpoint, reach: this.#reach })
  }

  /** Cancels and removes everything created. Does nothing once the image exists and only the clean-up is left. */
  cancel(): Promise<void> {
    const { stage, step } = this.#state
    if (step >= stepIndex('cleanUp') || (stage.at === 'cancelled' && stage.leftovers.length === 0))
      return Promise.resolve()
    this.#cancelling ??= this.#cancel().finally(() => (this.#cancelling = undefined))
    return this.#cancelling
  }

  async #cancel(): Promise<void> {
    this.#isCancelled = true
    this.#abort.abort()
    this.#pauses.resume()
    // Short calls are awaited, so that nothing is created after the removal.
    await this.#running
    this.#setStage({ at: 'removing' })
    this.#setStage({ at: 'cancelled', leftovers: await this.#remove(this.#imageId) })
  }

  /** Tries again to remove the leftovers. */
  async removeLeftovers(): Promise<void> {
    const { stage } = this.#state
    if (stage.at !== 'cancelled' && stage.at !== 'done') return
    const leftovers = await this.#remove(stage.at === 'cancelled' ? this.#imageId : undefined)
    this.#setStage({ at: stage.at, leftovers })
  }

  async #runSteps(): Promise<void> {
    this.#abort = new AbortController()
    for (; this.#state.step < steps.length; this.#state = { ...this.#state, step: this.#state.step + 1 }) {
      this.#setStage({ at: 'running' })
      try {
        const { key } = steps[this.#state.step] ?? steps[0]
        await this.#retryInterrupted((isRetry) => this.#steps[key](isRetry))
      } catch (error) {
        if (!this.#isCancelled) this.#setStage({ at: 'failed', problem: problemOf(error) })
        return
      }
      if (this.#isCancelled) return
    }
    this.#notify()
  }

  readonly #steps: Record<StepKey, (isRetry: boolean) => Promise<void>> = {
    createDisk: async (isRetry) => {
      if (await this.#resumeIfSame()) return
      this.#release ??= await this.#env.takeLock(this.#diskName)
      const { file, blockSize } = this.#request
      const body = { file, blockSize, image: this.#details.name }
      this.#disk = await this.#calls.createDisk(this.#diskName, body, isRetry)
      this.#saveRecord()
    },
    startImport: () => this.#calls.startImport(this.#diskName),
    sendFile: () => this.#sendFile(),
    stopImport: () => this.#calls.stopImport(this.#diskName),
    finalize: async () => void (this.#snapshotId = await this.#calls.finalize(this.#diskName)),
    createImage: async (isRetry) => {
      this.#imageId = await this.#calls.createImage(this.#details, this.#snapshotId, isRetry)
      this.#env.changed()
    },
    cleanUp: async () => {
      const leftovers = await this.#remove(undefined)
      this.#state = { ...this.#state, stage: { at: 'done', leftovers } }
    },
  }

  /** Resumes with the disk of the interrupted upload, if what was sent is the beginning of this file. */
  async #resumeIfSame(): Promise<boolean> {
    if (!this.#resumeDisk) return false
    const sent = await this.#lockForResume(this.#resumeDisk)
    if (sent && (await this.#startsWith(sent))) {
      this.#tracker = createTracker(sent)
      this.#reach = sent.reach
      this.#staleBefore = sent.reach
      return true
    }
    // The disk holds another file.
    const [leftover] = sent ? await this.#remove(undefined) : []
    if (leftover) throw leftover.error
    this.#resumeDisk = undefined
    this.#disk = undefined
    this.#diskName = newDiskName()
    return false
  }

  /** Takes the lock of a disk and gives its record; undefined if the disk is locked or has no record. */
  async #lockForResume(disk: Disk): Promise<Sent | undefined> {
    const { records, takeLock } = this.#env
    this.#release ??= await takeLock(disk.name)
    const sent = this.#release && records.read(disk.id)
    if (!sent) {
      this.#releaseLock()
      return undefined
    }
    this.#disk = disk
    this.#diskName = disk.name
    return sent
  }

  async #startsWith(sent: Sent): Promise<boolean> {
    const { reader } = this.#env
    this.#state = { ...this.#state, isComparing: true }
    const compared = (done: number) => this.#setProgress(done)
    const isSame =
      sent.bytes <= this.#request.file.size &&
      (await matchesSent(sent, { reader, signal: this.#abort.signal, compared }))
    this.#rate.reset()
    this.#state = { ...this.#state, isComparing: false, done: 0 }
    return isSame
  }

  async #sendFile(): Promise<void> {
    const { id } = this.#disk ?? { id: '' }
    const { reader, now } = this.#env
    // Chunks after a gap are sent again.
    const tracker = createTracker(this.#tracker.checkpoint)
    this.#tracker = tracker
    const complete = tracker.complete.bind(tracker)
    tracker.complete = (offset, chunk) => {
      complete(offset, chunk)
      this.#setProgress(tracker.done)
      if (now() - this.#savedAt < saveEveryMs) return
      this.#savedAt = now()
      this.saveProgress()
    }
    await sendChunks({
      size: this.#request.file.size,
      tracker,
      read: (offset, length) => reader.read(offset, length, offset < this.#staleBefore ? 'all' : 'content'),
      write: (offset, bytes, signal) => {
        this.#extendReach(offset + chunkSize)
        const write = () => this.#calls.write(id, { offset, bytes }, signal)
        return this.#retryInterrupted(() => this.#retryServerErrors(write, signal), signal)
      },
      signal: this.#abort.signal,
    })
    this.saveProgress()
  }

  /** Saves before sending that data may be written up to `end`: the page may be closed before the response. */
  #extendReach(end: number): void {
    if (end <= this.#reach) return
    this.#reach = end + reachAhead
    this.saveProgress()
  }

  /** Repeats the work, pausing in between, for as long as the connection or the session is lost. */
  async #retryInterrupted<T>(
    work: (isRetry: boolean) => Promise<T>,
    signal = this.#abort.signal,
  ): Promise<T> {
    for (let isRetry = false; ; isRetry = true) {
      await this.#pauses.waitUntilResumed(signal)
      try {
        const result = await work(isRetry)
        this.#failedAttempts = 0
        return result
      } catch (error) {
        const reason = signal.aborted ? undefined : interruption(error)
        if (!reason) throw error
        this.#interrupt(reason)
      }
    }
  }

  #interrupt(reason: PauseReason): void {
    if (this.#pauses.reason) return
    this.#pauses.pause(reason)
    this.#rate.reset()
    if (reason !== 'connection') return
    const delay = reconnectDelays[Math.min(this.#failedAttempts++, reconnectDelays.length - 1)] ?? second
    void this.#env.wait(delay, this.#abort.signal).then(() => this.resume('connection'))
  }

  async #retryServerErrors(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (const delay of retryDelays)
      try {
        return await work()
      } catch (error) {
        const isServerError = error instanceof ApiError && error.status >= 500 && error.status !== 507
        if (!isServerError || interruption(error) || signal.aborted) throw error
        await this.#env.wait(delay, signal)
        signal.throwIfAborted()
      }
    return work()
  }

  /** Removes everything created and releases the lock; returns the leftovers. */
  async #remove(imageId: string | undefined): Promise<Leftover[]> {
    this.#release ??= await this.#env.takeLock(this.#diskName)
    // Another upload has resumed with the disk that was left.
    if (!this.#release) return []
    const leftovers = await this.#calls.removeAll({ disk: this.#diskName, imageId })
    if (this.#disk && leftovers.length === 0) this.#env.records.keep(this.#disk.id, undefined)
    this.#releaseLock()
    this.#env.changed()
    return leftovers
  }

  #releaseLock(): void {
    this.#release?.()
    this.#release = undefined
  }

  #setProgress(done: number): void {
    this.#rate.record(done)
    this.#state = { ...this.#state, done, speed: this.#rate.bytesPerSecond() }
    if (this.#env.now() - this.#notifiedAt >= notifyEveryMs || done === this.#request.file.size)
      this.#notify()
  }

  #setStage(stage: Stage): void {
    this.#state = { ...this.#state, stage }
    this.#notify()
  }

  /** Calls all listeners. */
  #notify(): void {
    const { at } = this.#state.stage
    const { reason } = this.#pauses
    if (at === 'running' || at === 'paused')
      this.#state = { ...this.#state, stage: reason ? { at: 'paused', reason } : { at: 'running' } }
    this.#notifiedAt = this.#env.now()
    this.#listeners.notify()
  }
}
