/** The worst load of single clients, for a given time: for tests of the waiting time of others. */
import { setTimeout as wait } from 'node:timers/promises'
import { pile } from './bodies.ts'
import { flood } from './flood.ts'
import { largestInstances } from './largest-instance.ts'
import { largestNetwork } from './largest-network.ts'
import { admin } from './process.ts'
import { openSocket, type Api, type RawSocket } from './requests.ts'
import { startSignInFlood } from './sign-in-flood.ts'

interface Target {
  url: string
  cookie: string
  api: Api
}
type Worst = (server: Target) => Promise<(ms: number) => Promise<unknown>>

async function holding(sockets: RawSocket[], ms: number): Promise<void> {
  await wait(ms)
  for (const { socket } of sockets) socket.destroy()
}

const bodies = (isKnown: boolean): Worst =>
  function begin({ url, cookie }) {
    const what = { count: 120, length: 8 * 1024 * 1024, cookie: isKnown ? cookie : undefined }
    return Promise.resolve(async (ms) => holding(await pile(url, what), ms))
  }

let projects = 0

const ofNetwork = (which: 'question' | 'replace'): Worst =>
  async function begin(server) {
    const requests = await largestNetwork(server, { project: `worst-${projects++}`, instances: 20 })
    return (ms) => flood(server.url, requests[which], { connections: 8, ms })
  }

/** Each is prepared first; what that returns is the attack. */
export const worst: Record<string, Worst> = {
  'a hundred silent connections': ({ url }) =>
    Promise.resolve((ms) => {
      const sockets = Array.from({ length: 100 }, () => openSocket(url))
      for (const { socket } of sockets) socket.write('GET /v1/ping HTTP/1.1\r\n')
      return holding(sockets, ms)
    }),
  '120 bodies of strangers': bodies(false),
  '120 bodies of one user': bodies(true),
  'a flood of sign-ins': ({ url }) =>
    Promise.resolve(async (ms) => {
      const { stop } = startSignInFlood(url, admin.silo)
      await wait(ms)
      stop()
    }),
  'creates of instances with everything that one may have': async (server) => {
    const next = await largestInstances(server, `worst-${projects++}`)
    let serial = 0
    return (ms) => flood(server.url, () => next(serial++), { connections: 40, ms })
  },
  'questions about a network of the most rules': ofNetwork('question'),
  'replacements of the most rules': ofNetwork('replace'),
}
