import { spawn } from 'node:child_process'
import { cpuSeconds } from './results.ts'
import { env, root } from '../repo.ts'

/** How a command ended. `output` is empty if it went straight to our own output. */
export interface Ended {
  code: number | null
  output: string
  seconds: number
  cpuSeconds: number
}

export interface RunOptions {
  /** Let the command write to our output instead of keeping what it says. */
  stream?: boolean
  cwd?: string
  env?: Record<string, string | undefined>
}

/** The shell waits for the command, so that it can tell how much processor time it and its children took. */
const TIMED = '"$@"; code=$?; times >&3; exit $code'

/** Runs a command to its end, in the repository, with its programs on PATH. Never throws. */
export function run(command: string[], options: RunOptions = {}): Promise<Ended> {
  const started = performance.now()
  const to = options.stream ? 'inherit' : 'pipe'
  const child = spawn('sh', ['-c', TIMED, 'sh', ...command], {
    cwd: options.cwd ?? root,
    env: { ...env, ...options.env },
    stdio: ['ignore', to, to, 'pipe'],
  })
  const [, stdout, stderr, times] = child.stdio
  let output = ''
  let timesText = ''
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  times?.on('data', (chunk: Buffer) => (timesText += chunk.toString()))
  return new Promise((resolve) => {
    const done = (code: number | null) =>
      resolve({
        code,
        output: output.trimEnd(),
        seconds: (performance.now() - started) / 1000,
        cpuSeconds: cpuSeconds(timesText),
      })
    child.once('error', (error) => {
      output += error.message
      done(null)
    })
    child.once('close', done)
  })
}
