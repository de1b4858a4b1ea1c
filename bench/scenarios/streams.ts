/** A thousand browsers with open streams of events: what they cost while nothing happens, and how soon all know of a change. */
import { once } from 'node:events'
import { createParser } from 'eventsource-parser'
import { request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '@purlin/contract/rules/limits'
import type { ServerProcess } from '@purlin/server/testing/process'
import { admin } from '@purlin/server/testing/process'
import { signIn, type Api, responseTo } from '@purlin/server/testing/requests'
import { median, type Figure, type Pace } from '../figures.ts'
import { startServer } from './servers.ts'

const count = 1000
const { perSession, perUser } = limits.events
const project = 'watched'
const password = 'a-watched-measured-plank'
const changes = 5

export async function streamCost({ seconds }: Pace): Promise<Figure[]> {
  const server = await startServer()
  try {
    const { api } = await signIn(server.url)
    await api.projectCreate({ body: { name: project, description: '' } })
    const cookies = await sessions(server.url, api)
    const before = server.memory()?.now ?? Number.NaN
    const streams: Stream[] = []
    for (const [i, cookie] of cookies.entries()) {
      // Connections of one address are limited, too.
      const from = `127.0.1.${i + 1}`
      const some = Array.from({ length: perSession }, () => open(server.url, cookie, from))
      streams.push(...(await Promise.all(some)))
    }
    await wait(2000)
    const memory = (server.memory()?.now ?? Number.NaN) - before
    const idle = await coreShare(server, 2 * seconds)
    const reached: number[] = []
    for (let i = 0; i < changes; i++) reached.push(await timeToAll(streams, api, i))
    for (const { end } of streams) end()
    return [
      { name: '1000 streams: memory', value: memory / 1e6, unit: 'MB' },
      { name: '1000 streams: share of a core while idle', value: idle * 100, unit: '%' },
      { name: 'a change reaches all', value: median(reached), unit: 'ms' },
    ]
  } finally {
    await server.stop()
  }
}

/** Cookies of as many sessions as the streams need, of several viewers of the silo. */
async function sessions(url: string, api: Api): Promise<string[]> {
  const cookies: string[] = []
  const assignments = (await api.policyView({})).roleAssignments
  for (let i = 0; i < Math.ceil(count / perUser); i++) {
    const externalId = `viewer-${i}`
    const query = { silo: admin.silo }
    const { id } = await api.localIdpUserCreate({
      query,
      body: { externalId, password: { mode: 'password', value: password } },
    })
    assignments.push({ identityType: 'silo_user', identityId: id, roleName: 'viewer' })
    await api.policyUpdate({ body: { roleAssignments: assignments } })
    for (let k = 0; k < perUser / perSession; k++)
      cookies.push((await signIn(url, { ...admin, user: externalId, password })).cookie)
  }
  return cookies
}

interface Stream {
  /** when it was last notified of a change, in ms */
  notifiedAt: () => number
  end: () => void
}

/** Opens a stream and waits for its first event. */
async function open(url: string, cookie: string, localAddress: string): Promise<Stream> {
  const scope = encodeURIComponent(`/v1/disks?project=${project}`)
  const out = request(`${url}/v1/events?scope=${scope}`, { agent: false, headers: { cookie }, localAddress })
  out.end()
  const answer = await responseTo(out)
  if (answer.statusCode !== 200) throw new Error(`a stream was answered with ${answer.statusCode}`)
  let at = Number.NaN
  const parser = createParser({
    onEvent: ({ event }) => {
      if (event === 'changed') at = performance.now()
    },
  })
  answer.setEncoding('utf8').on('data', (text: string) => parser.feed(text))
  answer.on('error', () => undefined)
  out.on('error', () => undefined)
  await once(answer, 'data')
  return { notifiedAt: () => at, end: () => out.destroy() }
}

async function coreShare(server: ServerProcess, seconds: number): Promise<number> {
  const before = server.cpu() ?? Number.NaN
  await wait(seconds * 1000)
  return ((server.cpu() ?? Number.NaN) - before) / seconds
}

/** Milliseconds from the request that changes something until the last stream has been notified. */
async function timeToAll(streams: readonly Stream[], api: Api, round: number): Promise<number> {
  const began = performance.now()
  const name = `disk-${round}`
  const diskSource = { type: 'blank', blockSize: 4096 } as const
  await api.diskCreate({
    query: { project },
    body: { name, description: '', size: 2 ** 30, diskSource },
  })
  const isNotified = ({ notifiedAt }: Stream) => notifiedAt() > began
  for (let waited = 0; !streams.every(isNotified); waited++) {
    if (waited > 1000) throw new Error('a stream was not notified of a change')
    await wait(10)
  }
  const last = streams.reduce((most, { notifiedAt }) => Math.max(most, notifiedAt()), began)
  // Nothing is under way any more when the next one is made.
  await wait(3000)
  return last - began
}
