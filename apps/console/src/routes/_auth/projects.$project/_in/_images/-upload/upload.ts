/**
 * An upload from file to image, without a page. It goes through its steps in order. A lost connection or
 * session holds it up; a failure stops it where it is, so that it can be tried again from there; giving up
 * removes all that it has made, by names that are known before anything is made.
 *
 * An upload whose page is gone can be taken up again: its disk says which file it is for (parts/disk/imports),
 * and the browser that sent it knows how far it got and the checksum of that (parts/disk/importsHere). The
 * beginning of the file is compared with that before the rest is sent. Blocks of the control plane cannot be
 * read back, so without a record nothing is taken up. Behind the mark of a record there may be pieces of
 * another file, as far as its reach: there zeros are sent too, which new disks hold by themselves.
 *
 * As long as an upload may write into its disk or remove it, it holds the lock of that disk.
 */
import { limits, MiB } from '@purlin/contract/rules/limits'
import type { Disk } from '../../../../../../parts/disk/disks.tsx'
import type { Post } from '../../../../../../parts/disk/endImport.ts'
import { newDiskName, type FileFacts } from '../../../../../../parts/disk/imports.ts'
import type { Records, Sent } from '../../../../../../parts/disk/importsHere.ts'
import { ApiError } from '../../../../../../send.ts'
import { createCalls, type Calls, type Details, type Leftover } from './calls.ts'
import { createPace } from './pace.ts'
import type { PieceReader } from './reader.ts'
import { sendPieces } from './sendPieces.ts'
import {
  interruption,
  problemOf,
  stepIndex,
  steps,
  type Stage,
  type StepKey,
  type UploadState,
} from './state.ts'
import { isAsSent } from './isAsSent.ts'
import { createTracker, nothing } from './tracker.ts'
import { createValve, type Why } from './valve.ts'

/** What an upload needs of its surroundings. */
export interface Surroundings extends Post {
  reader: PieceReader
  records: Records
  /** Takes the lock of a disk and says how to release it, or undefined if another upload holds it. */
  takeLock: (disk: string) => Promise<(() => void) | undefined>
  now: () => number
  /** Resolves after a while, or at once when the signal says so. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called when lists have become stale. */
  changed: () => void
}
export interface Wish {
  project: string
  file: FileFacts
  blockSize: 512 | 2048 | 4096
  /** A half-written disk to go on with, if nothing speaks against it. */
  adopt?: Disk | undefined
}

const { chunk } = limits.bulkWrite
const second = 1000
/** Pauses before trying again what could not be reached; the last one goes on and on. */
const pauses = [1, 2, 4, 8, 15].map((seconds) => seconds * second)
/** Pauses before a piece that the server failed at is sent again; then the upload fails. */
const retries = [second, 2 * second]
const shownEvery = second / 5
const keptEvery = second
/** The reach is kept so far ahead of what is sent, so that this is seldom needed. */
const reachAhead = 64 * MiB

export class Upload {
  readonly #at: Surroundings
  readonly #wish: Wish
  readonly #calls: Calls
  readonly #listeners = new Set<() => void>()
  readonly #valve = createValve(() => this.#show())
  readonly #pace
  #state: UploadState = { stage: { at: 'running' }, step: 0, done: 0, speed: undefined, isComparing: false }
  #halt = new AbortController()
  #running: Promise<void> | undefined
  #ending: Promise<void> | undefined
  #isDiscarded = false
  #details: Details = { name: '', description: '', os: '', version: '' }
  #diskName = newDiskName()
  #disk: Disk | undefined
  /** Until it is ours, or turns out not to be. */
  #adoptee: Disk | undefined
  #release: (() => void) | undefined
  #snapshotId = ''
  #imageId: string | undefined
  #tracker = createTracker(nothing)
  #reach = 0
  /** Before this the disk may hold something else than zeros. */
  #staleBefore = 0
  #misses = 0
  #shownAt = 0
  #keptAt = 0

  constructor(at: Surroundings, wish: Wish) {
    this.#at = at
    this.#wish = wish
    this.#calls = createCalls(at, wish.project)
    this.#pace = createPace(at.now)
    this.#adoptee = wish.adopt
  }

  get state(): UploadState {
    return this.#state
  }
  /** The disk that it makes or has taken up. */
  get diskName(): string {
    return this.#diskName
  }
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** True if only the image is missing: its snapshot waits for other details. */
  get isKept(): boolean {
    return this.#state.stage.at === 'failed' && this.#state.step === stepIndex('createImage')
  }

  /** Goes on with the first step that is not done. Ends with the stage 'failed', 'done' or, given up, anything. */
  run(details: Details): Promise<void> {
    this.#details = details
    this.#running ??= this.#go().finally(() => (this.#running = undefined))
    return this.#running
  }

  pause(): void {
    this.#valve.close('person')
  }
  /** Goes on, whatever held it up, or only if it was `why`. */
  resume(why?: Why): void {
    if (why === undefined || this.#valve.closed === why) this.#valve.open()
  }

  /** Keeps how far the file has got. To be called when the page goes; while it is there this happens by itself. */
  keep(): void {
    if (this.#state.step === stepIndex('sendFile') && !this.#isDiscarded) this.#record()
  }
  #record(): void {
    if (this.#disk) this.#at.records.keep(this.#disk.id, { ...this.#tracker.mark, reach: this.#reach })
  }

  /** Gives up and removes all that was made. Once the image is there and being tidied up after, it does nothing. */
  discard(): Promise<void> {
    const { stage, step } = this.#state
    if (step >= stepIndex('cleanUp') || (stage.at === 'over' && stage.leftovers.length === 0))
      return Promise.resolve()
    this.#ending ??= this.#giveUp().finally(() => (this.#ending = undefined))
    return this.#ending
  }

  async #giveUp(): Promise<void> {
    this.#isDiscarded = true
    this.#halt.abort()
    this.#valve.open()
    // Short calls are let end, so that nothing is made behind the back of the removal.
    await this.#running
    this.#to({ at: 'removing' })
    this.#to({ at: 'over', leftovers: await this.#remove(this.#imageId) })
  }

  /** Tries once more to remove what is left over. */
  async tidy(): Promise<void> {
    const { stage } = this.#state
    if (stage.at !== 'over' && stage.at !== 'done') return
    this.#to({ at: stage.at, leftovers: await this.#remove(stage.at === 'over' ? this.#imageId : undefined) })
  }

  async #go(): Promise<void> {
    this.#halt = new AbortController()
    for (; this.#state.step < steps.length; this.#state = { ...this.#state, step: this.#state.step + 1 }) {
      this.#to({ at: 'running' })
      try {
        const { key } = steps[this.#state.step] ?? steps[0]
        await this.#persist((again) => this.#steps[key](again))
      } catch (error) {
        if (!this.#isDiscarded) this.#to({ at: 'failed', problem: problemOf(error) })
        return
      }
      if (this.#isDiscarded) return
    }
    this.#show()
  }

  readonly #steps: Record<StepKey, (again: boolean) => Promise<void>> = {
    createDisk: async (again) => {
      if (await this.#adopt()) return
      this.#release ??= await this.#at.takeLock(this.#diskName)
      const { file, blockSize } = this.#wish
      const wish = { file, blockSize, image: this.#details.name }
      this.#disk = await this.#calls.createDisk(this.#diskName, wish, again)
      this.#record()
    },
    startImport: () => this.#calls.startImport(this.#diskName),
    sendFile: () => this.#sendFile(),
    stopImport: () => this.#calls.stopImport(this.#diskName),
    finalize: async () => void (this.#snapshotId = await this.#calls.finalize(this.#diskName)),
    createImage: async (again) => {
      this.#imageId = await this.#calls.createImage(this.#details, this.#snapshotId, again)
      this.#at.changed()
    },
    cleanUp: async () => {
      const leftovers = await this.#remove(undefined)
      this.#state = { ...this.#state, stage: { at: 'done', leftovers } }
    },
  }

  /** Takes up the half-written disk, if what was written into it is the beginning of this file. */
  async #adopt(): Promise<boolean> {
    if (!this.#adoptee) return false
    const sent = await this.#claim(this.#adoptee)
    if (sent && (await this.#isBeginning(sent))) {
      this.#tracker = createTracker(sent)
      this.#reach = sent.reach
      this.#staleBefore = sent.reach
      return true
    }
    // It holds another file.
    const [leftover] = sent ? await this.#remove(undefined) : []
    if (leftover) throw leftover.error
    this.#adoptee = undefined
    this.#disk = undefined
    this.#diskName = newDiskName()
    return false
  }

  /** What was sent into a disk, which is ours from now on; undefined if it stays what it is. */
  async #claim(disk: Disk): Promise<Sent | undefined> {
    const { records, takeLock } = this.#at
    this.#release ??= await takeLock(disk.name)
    const sent = this.#release && records.read(disk.id)
    if (!sent) {
      this.#letGo()
      return undefined
    }
    this.#disk = disk
    this.#diskName = disk.name
    return sent
  }

  async #isBeginning(sent: Sent): Promise<boolean> {
    const { reader } = this.#at
    this.#state = { ...this.#state, isComparing: true }
    const compared = (done: number) => this.#progress(done)
    const isSame =
      sent.bytes <= this.#wish.file.size &&
      (await isAsSent(sent, { reader, signal: this.#halt.signal, compared }))
    this.#pace.reset()
    this.#state = { ...this.#state, isComparing: false, done: 0 }
    return isSame
  }

  async #sendFile(): Promise<void> {
    const { id } = this.#disk ?? { id: '' }
    const { reader, now } = this.#at
    // What arrived beyond a gap is sent again.
    const tracker = createTracker(this.#tracker.mark)
    this.#tracker = tracker
    const complete = tracker.complete.bind(tracker)
    tracker.complete = (offset, piece) => {
      complete(offset, piece)
      this.#progress(tracker.done)
      if (now() - this.#keptAt < keptEvery) return
      this.#keptAt = now()
      this.keep()
    }
    await sendPieces({
      size: this.#wish.file.size,
      tracker,
      read: (offset, length) => reader.read(offset, length, offset < this.#staleBefore ? 'all' : 'content'),
      write: (offset, base64EncodedData, signal) => {
        this.#reachTo(offset + chunk)
        return this.#persist(
          () => this.#retried(() => this.#calls.write(id, { offset, base64EncodedData }, signal), signal),
          signal,
        )
      },
      signal: this.#halt.signal,
    })
    this.keep()
  }

  /** Keeps in advance that what is sent next may land up to `end`: once it is sent, that may be too late. */
  #reachTo(end: number): void {
    if (end <= this.#reach) return
    this.#reach = end + reachAhead
    this.keep()
  }

  /** Does something, however often the connection or the session is lost meanwhile. */
  async #persist<T>(work: (again: boolean) => Promise<T>, signal = this.#halt.signal): Promise<T> {
    for (let again = false; ; again = true) {
      await this.#valve.passed(signal)
      try {
        const result = await work(again)
        this.#misses = 0
        return result
      } catch (error) {
        const why = signal.aborted ? undefined : interruption(error)
        if (!why) throw error
        this.#interrupt(why)
      }
    }
  }

  #interrupt(why: Why): void {
    if (this.#valve.closed) return
    this.#valve.close(why)
    this.#pace.reset()
    if (why !== 'connection') return
    const pause = pauses[Math.min(this.#misses++, pauses.length - 1)] ?? second
    void this.#at.wait(pause, this.#halt.signal).then(() => this.resume('connection'))
  }

  async #retried(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (const pause of retries)
      try {
        return await work()
      } catch (error) {
        const isTheirs = error instanceof ApiError && error.status >= 500 && error.status !== 507
        if (!isTheirs || interruption(error) || signal.aborted) throw error
        await this.#at.wait(pause, signal)
        signal.throwIfAborted()
      }
    return work()
  }

  /** Removes what was made, which ends the hold on the disk, and tells what is left over. */
  async #remove(imageId: string | undefined): Promise<Leftover[]> {
    this.#release ??= await this.#at.takeLock(this.#diskName)
    // What was left over here is taken up elsewhere.
    if (!this.#release) return []
    const leftovers = await this.#calls.removeAll({ disk: this.#diskName, imageId })
    if (this.#disk && leftovers.length === 0) this.#at.records.keep(this.#disk.id, undefined)
    this.#letGo()
    this.#at.changed()
    return leftovers
  }

  #letGo(): void {
    this.#release?.()
    this.#release = undefined
  }

  #progress(done: number): void {
    this.#pace.note(done)
    this.#state = { ...this.#state, done, speed: this.#pace.speed() }
    if (this.#at.now() - this.#shownAt >= shownEvery || done === this.#wish.file.size) this.#show()
  }

  #to(stage: Stage): void {
    this.#state = { ...this.#state, stage }
    this.#show()
  }

  /** Tells all who look. */
  #show(): void {
    const { at } = this.#state.stage
    const { closed } = this.#valve
    if (at === 'running' || at === 'paused')
      this.#state = { ...this.#state, stage: closed ? { at: 'paused', why: closed } : { at: 'running' } }
    this.#shownAt = this.#at.now()
    for (const listener of this.#listeners) listener()
  }
}
