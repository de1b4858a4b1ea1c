/**
 * The speed of importing the bytes of a disk over the API, its cost, and the server's memory. The sender is a
 * separate process and does as little as it can, so that the server is measured.
 */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { GiB, limits, MiB } from '@purlin/contract/rules/limits'
import { startChild } from '@purlin/server/testing/children'
import { signIn, type Api } from '@purlin/server/testing/requests'
import type { ServerProcess } from '@purlin/server/testing/process'
import { median, type Figure, type Pace, type Unit } from '../figures.ts'
import { startServer } from './servers.ts'

const { chunk } = limits.bulkWrite
const project = 'import'
const atOnce = 6

/** The input of the sender. */
interface Import {
  origin: string
  cookie: string
  disk: string
  bytes: number
}
/** Elapsed seconds and CPU seconds. */
interface Cost {
  seconds: number
  cpu: number
}
interface Round extends Cost {
  serverCpu: number
  growth: number
}

/** `--quick` sends a quarter of a GiB; otherwise 2 GiB, once per round. */
export async function importSpeed({ rounds }: Pace): Promise<Figure[]> {
  const bytes = rounds > 1 ? 2 * GiB : 256 * MiB
  const all: Round[] = []
  for (let i = 0; i < rounds; i++) all.push(await round(bytes))
  const figure = (name: string, unit: Unit, of: (round: Round) => number): Figure => ({
    name,
    unit,
    value: median(all.map(of)),
  })
  return [
    figure('throughput', 'MB/s', ({ seconds }) => bytes / 1e6 / seconds),
    figure('processor time of the server', 's/GiB', ({ serverCpu }) => (serverCpu * GiB) / bytes),
    figure('processor time of the sender', 's/GiB', ({ cpu }) => (cpu * GiB) / bytes),
    figure('growth of memory', 'MB', ({ growth }) => growth / 1e6),
  ]
}

/** A new server and disk for each import, because the second would find the memory of the first. */
async function round(bytes: number): Promise<Round> {
  const server = await startServer()
  try {
    const { cookie, api } = await signIn(server.url)
    const disk = await openDisk(api)
    const memory = watchMemory(server)
    const before = server.cpu() ?? Number.NaN
    const cost = await sendAll({ origin: server.url, cookie, disk, bytes })
    const serverCpu = (server.cpu() ?? Number.NaN) - before
    await api.diskBulkWriteImportStop({ params: { disk }, query: {} })
    return { ...cost, serverCpu, growth: memory.growth() }
  } finally {
    await server.stop()
  }
}

async function openDisk(api: Api): Promise<string> {
  await api.projectCreate({ body: { name: project, description: '' } })
  const { id } = await api.diskCreate({
    query: { project },
    body: {
      name: 'disk',
      description: '',
      size: 2 * GiB,
      diskSource: { type: 'importing_blocks', blockSize: 512 },
    },
  })
  await api.diskBulkWriteImportStart({ params: { disk: id }, query: {} })
  return id
}

/** The most memory that a server takes beyond what it takes now. */
function watchMemory({ memory }: ServerProcess): { growth: () => number } {
  const first = memory()?.now ?? Number.NaN
  let most = first
  const look = () => (most = Math.max(most, memory()?.now ?? Number.NaN))
  const timer = setInterval(look, 50)
  const growth = () => {
    clearInterval(timer)
    return look() - first
  }
  return { growth }
}

async function sendAll(work: Import): Promise<Cost> {
  const child = startChild(fileURLToPath(import.meta.url), { ipc: true })
  child.process.send?.(work)
  const [answer] = (await Promise.race([
    once(child.process, 'message'),
    once(child.process, 'exit').then(() => [{ problem: 'the sender ended' }]),
  ])) as [Cost | { problem: string }]
  await child.stop()
  if ('problem' in answer) throw new Error(answer.problem)
  return answer
}

async function send({ origin, cookie, disk, bytes }: Import): Promise<Cost> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const path = `/v1/disks/${disk}/bulk-write`
  const data = Buffer.from(randomBytes(chunk).toString('base64'))
  let next = 0
  const one = (offset: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const head = `{"offset":${offset},"base64_encoded_data":"`
      const headers = {
        cookie,
        'content-type': 'application/json',
        'content-length': head.length + data.length + 2,
      }
      const out = request(origin + path, { agent, method: 'POST', headers }, (answer) => {
        answer.resume()
        const { statusCode } = answer
        answer.once('end', () =>
          statusCode === 204 ? resolve() : reject(new Error(`a chunk was answered with ${statusCode}`)),
        )
      })
      out.once('error', reject)
      out.write(head)
      out.write(data)
      out.end('"}')
    })
  const lane = async (): Promise<void> => {
    while (next < bytes) {
      const offset = next
      next += chunk
      await one(offset)
    }
  }
  const begun = performance.now()
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: atOnce }, lane))
  const { user, system } = process.cpuUsage(before)
  agent.destroy()
  return { seconds: (performance.now() - begun) / 1000, cpu: (user + system) / 1e6 }
}

if (import.meta.main) {
  const [work] = (await once(process, 'message')) as [Import]
  const answer = await send(work).catch((error: unknown) => ({ problem: String(error) }))
  process.send?.(answer)
  process.disconnect()
}
