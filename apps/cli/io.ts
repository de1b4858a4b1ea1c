/** The surroundings of a command: streams, variables and time. Tests give their own. */
import type { Readable, Writable } from 'node:stream'

/** Standard input; raw mode exists only in a terminal. */
export type Input = Readable & { isTTY?: boolean; setRawMode?: (on: boolean) => unknown }
export type Output = Writable & { isTTY?: boolean; columns?: number }

export interface Io {
  env: Readonly<Record<string, string | undefined>>
  stdin: Input
  stdout: Output
  stderr: Output
  /** Waits. Rejects with the reason of the signal when it is aborted. */
  sleep: (ms: number) => Promise<void>
  /** Milliseconds. */
  now: () => number
  /** Aborted by the user: Ctrl-C. */
  signal: AbortSignal
}

/** Writes text, and waits while the reader is slow. */
export function write(output: Writable, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => output.write(text, (error) => (error ? reject(error) : resolve())))
}

/** Writes a line for a person on standard error, where no program reads it as a result. */
export const note = (io: Io, line: string): Promise<void> => write(io.stderr, `${line}\n`)
