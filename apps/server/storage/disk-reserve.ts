/**
 * A reserve on the volume of a data folder, held in a file. It is given up when the volume is full, so that
 * deletes can still be recorded. It is created again when there is twice the space for it.
 */
import { systemCodeOf } from '@purlin/databases/error-codes'
import { randomFillSync } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { constants, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { MiB } from '@purlin/contract/rules/limits'
import type { Log } from '@purlin/core/ports'

export interface DiskReserve {
  /** True from when the reserve was given up until it is there again: then only what frees room may be written. */
  isFull: () => boolean
  /** To be called when the volume is full. */
  giveUp: () => void
  close: () => Promise<void>
}

// As large as the log of the database can become before it is moved into the database.
const mostReserved = 32 * MiB
/** At most this part of a small volume is reserved. */
const partReserved = 1 / 8
const lowPart = 0.05
const enoughPart = 0.06
const everyMs = 2000

interface Volume {
  free: number
  total: number
}

/** Monitors the volume of the folder, and keeps a reserve on it. Each change is logged once. */
export function openDiskReserve(folder: string, log: Log): DiskReserve {
  const path = join(folder, 'purlin.reserve')
  const warnIfLow = lowWarning(folder, log)
  let held = false
  let full = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let checking = Promise.resolve()

  function setFull(now: boolean, { free }: Volume): void {
    if (full === now) return
    full = now
    const fields = { folder, freeBytes: free }
    if (now) log.error(fields, 'the volume of the data folder is full: only what frees room is done')
    else log.info(fields, 'the volume of the data folder has room again')
  }

  async function check(): Promise<void> {
    const volume = await volumeOf(folder)
    warnIfLow(volume)
    if (held || isClosed) return
    const size = reserveOf(volume)
    held = sizeOf(path) === size || (volume.free >= 2 * size && (await fill(path, size)))
    setFull(!held, volume)
  }

  function look(): void {
    const failed = (error: unknown) =>
      log.warn({ folder, error: String(error) }, 'the room on the volume of the data folder is not known')
    checking = check()
      .catch(failed)
      .then(() => {
        if (!isClosed) timer = setTimeout(look, everyMs).unref()
      })
  }
  look()

  return {
    isFull: () => full,
    giveUp() {
      setFull(true, { free: 0, total: 0 })
      held = false
      rmSync(path, { force: true })
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await checking
    },
  }
}

function lowWarning(folder: string, log: Log): (volume: Volume) => void {
  let isLow = false
  return ({ free, total }) => {
    const part = free / total
    if (isLow ? part < enoughPart : part >= lowPart) return
    isLow = !isLow
    const fields = { folder, freeBytes: free, totalBytes: total }
    if (isLow) log.warn(fields, 'less than 5 % of the volume of the data folder is free')
    else log.info(fields, 'more than 5 % of the volume of the data folder is free again')
  }
}

async function volumeOf(folder: string): Promise<Volume> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

const reserveOf = ({ total }: Volume): number =>
  Math.min(mostReserved, Math.floor((total * partReserved) / MiB) * MiB)

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Writes a file that takes its room on any file system, compressing ones too. False if there is no room. */
async function fill(path: string, size: number): Promise<boolean> {
  const noise = randomFillSync(new Uint8Array(MiB))
  try {
    // Another server of the folder may be writing it too: it is only truncated once everything is written.
    const file = await open(path, constants.O_CREAT | constants.O_WRONLY, 0o600)
    try {
      for (let at = 0; at < size; at += MiB) await file.writeFile(noise)
      await file.truncate(size)
      await file.datasync()
    } finally {
      await file.close()
    }
    // It may have been given up since.
    return sizeOf(path) === size
  } catch (error) {
    await rm(path, { force: true })
    if (systemCodeOf(error) === 'ENOSPC') return false
    throw error
  }
}
