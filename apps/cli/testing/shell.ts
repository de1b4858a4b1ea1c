/** Runs lines of the command line in this process, and keeps what they write. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Io } from '../io.ts'
import { run } from '../main.ts'

export interface Ran {
  code: number
  out: string
  err: string
}
export interface HowToRun {
  env?: Record<string, string>
  stdin?: string
  /** Called with all that was written, each time that there is more. */
  onOut?: (out: string) => void
  /** Aborted by the user. */
  signal?: AbortSignal
  /** Is called instead of waiting, with the notes that were written before. */
  sleep?: (ms: number, notes: string) => Promise<void>
  /** The width of a terminal; no terminal unless given. */
  columns?: number
}

export interface Shell {
  /** The folder of the configuration, for files of a test too. */
  home: string
  run: (line: readonly string[], how?: HowToRun) => Promise<Ran>
  close: () => void
}

/** A shell with a separate home. */
export function openShell(): Shell {
  const home = mkdtempSync(join(tmpdir(), 'purlin-cli-'))
  return {
    home,
    async run(line, how = {}) {
      const { env = {}, stdin = '', sleep = () => Promise.resolve(), columns, onOut } = how
      const [stdout, stderr] = [new PassThrough(), new PassThrough()]
      const written = Promise.all([buffer(stdout), buffer(stderr)])
      let notes = ''
      stderr.on('data', (chunk: Buffer) => (notes += chunk.toString()))
      let seen = ''
      if (onOut) stdout.on('data', (chunk: Buffer) => onOut((seen += chunk.toString())))
      const terminal = columns === undefined ? {} : { isTTY: true, columns }
      const io: Io = {
        env: { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, ...env },
        stdin: Readable.from([Buffer.from(stdin)]),
        stdout: Object.assign(stdout, terminal),
        stderr,
        sleep: (ms) => sleep(ms, notes),
        now: () => Date.now(),
        signal: how.signal ?? new AbortController().signal,
      }
      const code = await run(io, line)
      stdout.end()
      stderr.end()
      const [out, err] = await written
      return { code, out: out.toString(), err: err.toString() }
    },
    close: () => rmSync(home, { recursive: true }),
  }
}
