/** Runs the command line in this process. */
import { setTimeout } from 'node:timers/promises'
import type { Io } from './io.ts'
import { run } from './main.ts'

/** Runs the arguments of the process, and sets its exit code. */
export async function start(): Promise<void> {
  const { stdout, stderr, env, argv } = process
  const interrupt = new AbortController()
  process.once('SIGINT', () => interrupt.abort())
  // A reader that has seen enough, such as head, ends the command.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const sleep = async (ms: number) => setTimeout(ms, undefined, { signal: interrupt.signal })
  const io: Io = {
    env,
    // Only a command that reads it opens it.
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr,
    sleep,
    now: () => Date.now(),
    signal: interrupt.signal,
  }
  process.exitCode = await run(io, argv.slice(2))
}
