/**
 * Sends requests as fast as they are answered, in a separate process: `measure` starts this file as a child, so that
 * client and server use a core each.
 */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon, { type Request } from 'autocannon'
import { startChild } from '@purlin/server/testing/children'

/**
 * The requests. In `path` and `body` these placeholders are filled for each request: `<serial>` counts up from 0,
 * `<group>` cycles below `groups`, `<index>` is a random number below `indexes`, `<token>` a random one of `tokens`.
 * Numbers have seven digits.
 */
export interface Load {
  origin: string
  method: 'GET' | 'POST'
  path: string
  body?: string
  cookie?: string
  /** The server is not to answer with what it remembers. */
  isAnew?: boolean
  groups?: number
  indexes?: number
  tokens?: readonly string[]
  connections: number
  warmSeconds: number
  seconds: number
}
export interface Speed {
  /** successful answers per second */
  rps: number
  /** latencies, ms */
  p50: number
  p99: number
  /** share of answers with status 5xx, % */
  failed: number
}
type Outcome = { speed: Speed } | { problem: string }

/** Sends one load from a child process. Rejects for answers that blame the client. */
export async function measure(load: Load): Promise<Speed> {
  const child = startChild(fileURLToPath(import.meta.url), { ipc: true })
  child.process.send?.(load)
  const [outcome] = (await Promise.race([
    once(child.process, 'message'),
    once(child.process, 'exit').then(() => [{ problem: 'the load process ended' }]),
  ])) as [Outcome]
  await child.stop()
  if ('problem' in outcome) throw new Error(`${load.method} ${load.path}: ${outcome.problem}`)
  return outcome.speed
}

export const digits = (number: number): string => String(number).padStart(7, '0')
const below = (count: number) => Math.floor(Math.random() * count)

function fillerOf({
  groups = 1,
  indexes = 1,
  tokens = [],
}: Load): (template: string, serial: number) => string {
  const values: Record<string, (serial: number) => string> = {
    '<serial>': digits,
    '<group>': (serial) => digits(serial % groups),
    '<index>': () => digits(below(indexes)),
    '<token>': () => tokens[below(tokens.length)] ?? '',
  }
  return (template, serial) => template.replaceAll(/<\w+>/g, (word) => values[word]?.(serial) ?? word)
}

function requestOf(load: Load): Request {
  const { method, path, body, cookie, isAnew } = load
  const headers = {
    ...(cookie ? { cookie } : {}),
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...(isAnew ? { 'cache-control': 'no-cache' } : {}),
  }
  const fixed: Request = { method, path, headers, ...(body ? { body } : {}) }
  if (!/<\w+>/.test(path + (body ?? ''))) return fixed
  const fill = fillerOf(load)
  let serial = 0
  const setupRequest = (request: Request): Request => {
    const mine = serial++
    return { ...request, path: fill(path, mine), ...(body ? { body: fill(body, mine) } : {}) }
  }
  return { ...fixed, setupRequest }
}

async function send(load: Load): Promise<Outcome> {
  const { origin, connections, warmSeconds, seconds } = load
  const latencies: number[] = []
  const refused = new Map<number, number>()
  const begin = performance.now() + warmSeconds * 1000
  const requests = [requestOf(load)]
  const run = autocannon({ url: origin, connections, duration: warmSeconds + seconds, requests })
  void run.on('response', (...[, status, , ms]) => {
    const now = performance.now()
    if (now < begin || now >= begin + seconds * 1000) return
    if (status < 300) latencies.push(ms)
    else refused.set(status, (refused.get(status) ?? 0) + 1)
  })
  const { errors, timeouts } = await run
  const failed = [...refused].reduce((sum, [status, count]) => (status < 500 ? Infinity : sum + count), 0)
  // A client error is a mistake of the benchmark; server errors are a figure.
  if (failed === Infinity) return { problem: `answered with status ${[...refused.keys()].join(', ')}` }
  if (errors + timeouts > 0) return { problem: `${errors} broken connections, ${timeouts} timeouts` }
  if (latencies.length === 0) return { problem: 'not answered in time' }
  return { speed: { ...speedOf(latencies, seconds), failed: (100 * failed) / (failed + latencies.length) } }
}

function speedOf(latencies: number[], seconds: number): Omit<Speed, 'failed'> {
  const sorted = Float64Array.from(latencies).toSorted()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { rps: sorted.length / seconds, p50: at(0.5), p99: at(0.99) }
}

if (import.meta.main) {
  const [load] = (await once(process, 'message')) as [Load]
  const outcome = await send(load).catch((error: unknown): Outcome => ({ problem: String(error) }))
  process.send?.(outcome)
  process.disconnect()
}
