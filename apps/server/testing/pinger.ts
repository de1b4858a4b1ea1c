/**
 * Pings a server continuously, from a separate process, address and connections, while a test attacks that server:
 * the waiting time of other clients. The machine's share is subtracted from each ping: the time in which the thread
 * of the server or of the pinger was ready and the system ran something else, such as the attackers, and the duration
 * of a ping to an idle server at the same moment.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, createServer, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { startChild } from './children.ts'
import { portOf } from '../http/listening.ts'
import { responseTo } from './requests.ts'

/**
 * Times from the request to the whole answer, in milliseconds, without the machine's share. A ping that is due is
 * sent whether others are answered or not.
 */
export interface Pings {
  sent: number
  /** without an answer, or with another one than 200 */
  failed: number
  p50: number
  p99: number
  max: number
}

/** A server that pings are sent to. */
interface Target {
  url: string
  pid: number
}

export interface Pinger {
  /** Stops, waits for the last answers, and counts. */
  stop: () => Promise<Pings>
}

const everyMs = 20
const patienceMs = 20_000
// Limits by address must not reach it. Elsewhere than on Linux there is one loopback address only.
const from = process.platform === 'linux' ? { localAddress: '127.0.0.200' } : {}

/** Starts asking; resolves once the first answers are there. */
export async function startPinger(server: Target): Promise<Pinger> {
  const file = fileURLToPath(import.meta.url)
  const idle = startChild(file, { ipc: true })
  const [idleUrl] = (await once(idle.process, 'message')) as [string]
  const targets: Target[] = [server, { url: idleUrl, pid: idle.process.pid ?? 0 }]
  const args = targets.flatMap(({ url, pid }) => [url, String(pid)])
  const child = startChild(file, { ipc: true, args })
  await once(child.process, 'message')
  const stop = async () => {
    child.process.send?.('stop')
    const [pings] = (await once(child.process, 'message')) as [Pings]
    await Promise.all([child.stop(), idle.stop()])
    return pings
  }
  return { stop }
}

/** How long others wait for a ping while something else is done. */
export async function pingsDuring(server: Target, work: () => Promise<unknown>): Promise<Pings> {
  const pinger = await startPinger(server)
  await work()
  return pinger.stop()
}

/** How long a process was ready to run on its first thread, but did not, since it began: ms. Linux only; else 0. */
function heldUpMs(pid: number): number {
  if (process.platform !== 'linux') return 0
  const [, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(waited) / 1e6
}

const agent = new Agent({ keepAlive: true })

/** Sends one ping. Resolves to its time without what the machine held up, or to null if it fails. */
async function pingOnce({ url, pid }: Target): Promise<number | null> {
  const began = performance.now()
  const heldUp = heldUpMs(pid) + heldUpMs(process.pid)
  const message = get(`${url}/v1/ping`, { agent, timeout: patienceMs, ...from })
  message.once('timeout', () => message.destroy(new Error('too late')))
  try {
    const response = await responseTo(message)
    await once(response.resume(), 'end')
    if (response.statusCode !== 200) return null
    return Math.max(0, performance.now() - began - (heldUpMs(pid) + heldUpMs(process.pid) - heldUp))
  } catch {
    return null
  }
}

/** The same, minus the duration of a ping to an idle server. */
async function pingBeside(server: Target, idle: Target): Promise<number | null> {
  const [time, idleTime] = await Promise.all([pingOnce(server), pingOnce(idle)])
  return time === null ? null : Math.max(0, time - (idleTime ?? 0))
}

/** A missing answer counts as the longest wait. */
function figuresOf(pings: (number | null)[]): Pings {
  const times = pings.filter((time) => time !== null).toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.ceil(pings.length * share) - 1] ?? patienceMs
  const failed = pings.length - times.length
  return { sent: pings.length, failed, p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** Sends pings until the parent says to stop. */
async function ping(server: Target, idle: Target): Promise<void> {
  // The first ones find a connection and code that has not run yet.
  for (let i = 0; i < 20; i++) await pingBeside(server, idle)
  const pings: Promise<number | null>[] = []
  const timer = setInterval(() => pings.push(pingBeside(server, idle)), everyMs)
  process.send?.('started')
  await once(process, 'message')
  clearInterval(timer)
  process.send?.(figuresOf(await Promise.all(pings)), () => process.exit(0))
}

async function answer(): Promise<void> {
  const server = createServer((_, response) => response.end('{"status":"ok"}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send?.(`http://127.0.0.1:${portOf(server)}`)
}

if (import.meta.main) {
  const [url, pid, idleUrl, idlePid] = process.argv.slice(2)
  if (url === undefined || idleUrl === undefined) await answer()
  else await ping({ url, pid: Number(pid) }, { url: idleUrl, pid: Number(idlePid) })
}
