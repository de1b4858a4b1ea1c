/**
 * Lines to a file descriptor, many at a time and without waiting for the reader. Five times cheaper
 * than pino's own destination, which matters when there is a line for every request.
 */
import { systemCodeOf } from '@purlin/databases/error-codes'
import { write as writeWithCallback, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import type { DestinationStream } from 'pino'

const write = promisify(writeWithCallback)
const soon = 64 * 1024
const latestMs = 200
// If the reader stalls, lines are dropped instead of filling the memory.
const maxBuffered = 8 * 1024 * 1024
const retryMs = 50

export interface LogStream extends DestinationStream {
  /** Writes the buffered lines; resolves when they are written. */
  flush(): Promise<void>
  /** Writes the buffered lines while the process exits. */
  flushSync(): void
}

export function openLogStream(fd: number): LogStream {
  let kept = ''
  let lost = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (kept !== '') {
      const lines = lost > 0 ? `${kept}{"level":"warn","msg":"${lost} log lines were lost"}\n` : kept
      kept = ''
      lost = 0
      await writeAll(fd, Buffer.from(lines))
    }
  }
  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= drain().finally(() => (writing = undefined))
    return writing
  }
  return {
    write(line) {
      if (kept.length > maxBuffered) return void lost++
      kept += line
      if (kept.length > soon) void flush()
      else timer ??= setTimeout(() => void flush(), latestMs).unref()
    },
    flush,
    flushSync() {
      try {
        if (kept !== '') writeSync(fd, kept)
      } catch {
        // The reader is gone and the process is exiting: no one can get the rest.
      }
      kept = ''
    },
  }
}

/** Never throws: a failure to write the log cannot be logged. */
async function writeAll(fd: number, data: Buffer): Promise<void> {
  for (let at = 0; at < data.length;) {
    const written = await writeSome(fd, data, at)
    if (written === null) return
    at += written
  }
}

async function writeSome(fd: number, data: Buffer, from: number): Promise<number | null> {
  try {
    return (await write(fd, data, from)).bytesWritten
  } catch (error) {
    if (systemCodeOf(error) !== 'EAGAIN') return null
    await new Promise((resolve) => setTimeout(resolve, retryMs))
    return 0
  }
}
