/** Files that are written in many chunks: each stays open until it has not been written for a moment. */
import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

const lingerMs = 1000
const { O_RDWR, O_CREAT } = constants

interface Opened {
  file: Promise<FileHandle>
  users: number
  closing?: NodeJS.Timeout
}

export interface WrittenFiles {
  /**
   * Writes all of the bytes. Makes the file, readable by its owner only, if there is none; with `isThere` throws ENOENT
   * instead.
   */
  write(path: string, what: { offset: number; bytes: Uint8Array; isThere: boolean }): Promise<void>
  /** Closes a file before it is removed, because its room on disk is free only then. */
  close(path: string): Promise<void>
}

export function createWrittenFiles(): WrittenFiles {
  const all = new Map<string, Opened>()

  function take(path: string, isThere: boolean): Opened {
    const flags = isThere ? O_RDWR : O_RDWR | O_CREAT
    const one = all.get(path) ?? { file: open(path, flags, 0o600), users: 0 }
    all.set(path, one)
    clearTimeout(one.closing)
    one.users++
    return one
  }

  function leave(path: string, one: Opened): void {
    if (--one.users > 0) return
    if (all.get(path) !== one) void end(one)
    else one.closing = setTimeout(() => void close(path), lingerMs).unref()
  }

  async function close(path: string): Promise<void> {
    const one = all.get(path)
    all.delete(path)
    clearTimeout(one?.closing)
    if (one?.users === 0) await end(one)
  }

  return {
    async write(path, { offset, bytes, isThere }) {
      const one = take(path, isThere)
      try {
        await writeAll(await one.file, offset, bytes)
      } catch (error) {
        // The next write opens it again.
        if (all.get(path) === one) all.delete(path)
        throw error
      } finally {
        leave(path, one)
      }
    },
    close,
  }
}

/** Writes all of the bytes: one write of the system may take fewer, which is no error to it. */
export async function writeAll(file: FileHandle, offset: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await file.write(bytes, done, bytes.length - done, offset + done)).bytesWritten
}

// A file that could not be opened needs no close, and its writer has the error already.
const end = ({ file }: Opened): Promise<void> =>
  file.then(
    (opened) => opened.close(),
    () => undefined,
  )
