/** The cost of the audit log: creates with and without it, and lists of many entries. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createControlPlane, firstStart, type World } from '@purlin/core'
import { createMemoryBlobs } from '@purlin/databases/blobs-in-memory'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { newFolder } from '@purlin/server/testing/children'
import { signIn } from '@purlin/server/testing/requests'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { sql } from '@purlin/core/testing/sql'
import { median, type Figure, type Pace } from '../figures.ts'
import { growthOfLists } from './list-growth.ts'
import { startServer } from './servers.ts'

const sizes = [10_000, 10_000_000]
const parallel = 32
const perRound = 1280
const rowsPerCommit = 100_000

export async function auditCost(pace: Pace): Promise<Figure[]> {
  return [...(await createCost(pace)), ...(await listTimes(pace))]
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const clock = {
  now: () => Date.now(),
  after: (ms: number, fn: () => void) => {
    const timer = setTimeout(fn, ms)
    return () => clearTimeout(timer)
  },
}
const silent = () => undefined

/** A control plane in this process, and its administrator. */
async function openPlane(folder: string) {
  const world: World = {
    engine: openSqlite(join(folder, 'purlin.db')),
    clock,
    ids: { uuid: randomUUID, bytes: (n) => new Uint8Array(randomBytes(n)) },
    // No user signs in during the measurement.
    passwords: {
      hash: (password) => Promise.resolve(sha256(password)),
      verify: (hash, password) => Promise.resolve(hash === sha256(password)),
      isOutdated: () => false,
      common: () => Promise.resolve(new Set()),
      fingerprint: sha256,
      sign: (key, text) => sha256(key + text),
    },
    sleds: createSimulatedSleds({ clock }),
    blobs: createMemoryBlobs(),
    sha256: () => {
      const hash = createHash('sha256')
      return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') }
    },
    log: { info: silent, warn: silent, error: silent },
    sessions: { idleMs: 3_600_000, absoluteMs: 3_600_000 },
  }
  const plane = await createControlPlane(world)
  const password = 'measured-by-a-bench'
  await firstStart(world, { silo: 'main', user: 'admin', password })
  let cookie = ''
  const post = async (url: string, body: object): Promise<void> => {
    const headers = { host: 'bench', 'content-type': 'application/json', cookie }
    const answer = await plane.dispatch({ method: 'POST', url, headers, body: JSON.stringify(body) })
    if (answer.status >= 300) throw new Error(`${url}: ${answer.status} ${answer.body}`)
    cookie ||= answer.cookies?.[0]?.split(';')[0] ?? ''
  }
  await post('/v1/login/main/local', { username: 'admin', password })
  return { plane, world, post }
}

const named = (name: string) => ({ name, description: '' })

/** Creates of instances with a network interface, alternately recorded and not, while the log is written. */
async function createCost({ rounds }: Pace): Promise<Figure[]> {
  const folder = newFolder()
  const { plane, world, post } = await openPlane(folder.path)
  try {
    await post('/v1/system/ip-pools', named('public'))
    await post('/v1/system/ip-pools/public/ranges/add', { first: '10.21.0.0', last: '10.29.255.255' })
    await post('/v1/system/ip-pools/public/silos', { silo: 'main', is_default: true })
    for (let i = 0; i < parallel; i++) await post('/v1/projects', named(`p-${i}`))
    const spent: Record<'with' | 'without', number[]> = { with: [], without: [] }
    let made = 0
    const create = async () => {
      const i = made++
      const body = { ...named(`vm-${i}`), hostname: 'vm', ncpus: 2, memory: 2 ** 32, start: false }
      await post(`/v1/instances?project=p-${i % parallel}`, body)
    }
    for (let round = 0; round <= 2 * Math.max(3, rounds) + 1; round++) {
      const kind = round % 2 ? 'without' : 'with'
      world.isUnrecorded = kind === 'without'
      const began = process.cpuUsage()
      for (let i = 0; i < perRound; i += parallel) await Promise.all(Array.from({ length: parallel }, create))
      // Records are moved into the log within the next second.
      await new Promise((resolve) => setTimeout(resolve, 1500))
      const { user, system } = process.cpuUsage(began)
      if (round > 1) spent[kind].push((user + system) / 1000 / perRound)
    }
    const [on, off] = [median(spent.with), median(spent.without)]
    return [
      { name: 'create: CPU', value: on, unit: 'ms' },
      { name: 'create without the log: CPU', value: off, unit: 'ms' },
      { name: 'create: CPU with the log', value: on / off, unit: '×' },
    ]
  } finally {
    await plane.close()
    folder.remove()
  }
}

const start = 'start_time=2020-01-01T00:00:00Z'
const newest = `${start}&limit=50&sort_by=time_and_id_descending`
const asked = {
  'newest entries': `/v1/system/audit-log?${newest}`,
  'newest of a silo': `/v1/audit-log?${newest}`,
  'newest of an operation': `/v1/system/audit-log?${newest}&operation=disk_delete`,
  'newest about a name': `/v1/system/audit-log?${newest}&object_name=d-77`,
}

/** Pages of few entries and of many. */
const listTimes = (pace: Pace): Promise<Figure[]> => growthOfLists(pace, { sizes, fill: addEntries, asked })

/** A new database with this many entries, one a second, in its first silo. */
async function addEntries(folder: string, count: number): Promise<void> {
  const server = await startServer({ folder })
  await signIn(server.url)
  await server.stop()
  const engine = openSqlite(join(folder, 'purlin.db'))
  try {
    const { id: siloId } = await engine.transaction('read', (tx) =>
      tx.selectFrom('silo').select('id').executeTakeFirstOrThrow(),
    )
    const actor = randomUUID()
    const project = randomUUID()
    const first = (Date.now() - 1000 * (count + 60)) * 1024
    for (let at = 0; at < count; at += rowsPerCommit)
      await engine.transaction('write', async (tx) => {
        const end = Math.min(count, at + rowsPerCommit)
        const numbers = sql`with recursive n(i) as (select ${sql.lit(at)} union all select i + 1 from n where i + 1 < ${sql.lit(end)})`
        const seq = sql`(${sql.lit(first)} + i * 1024000)`
        // Entries of a name are spread over the whole log, as many of them in a long one as in a short one.
        const name = sql`('d-' || (i / ${sql.lit(Math.ceil(count / 1000))} % 100))`
        await sql`insert into "auditEntry" ${numbers}
          select ${seq}, lower(hex(randomblob(16))), lower(hex(randomblob(16))), ${seq} / 1024,
            case i % 20 when 0 then 'disk_delete' else 'instance_create' end, ${actor}, ${siloId}, null,
            '192.0.2.' || (i % 250), 'Mozilla/5.0 (X11; Linux x86_64)', 201,
            json_object('uri', '/v1/disks?project=demo', 'actorName', 'someone', 'siloName', 'main', 'projectId', ${project},
              'objects', json_array(json_array('disk', ${project}, null, ${name}))), hex(randomblob(32)) from n`.execute(
          tx,
        )
        await sql`insert into "auditKey" ${numbers} select ${siloId}, ${seq} from n`.execute(tx)
        await sql`insert into "auditKey" ${numbers} select 'name ' || ${name}, ${seq} from n`.execute(tx)
      })
    await engine.transaction('write', async (tx) => {
      await tx
        .updateTable('auditChain')
        .set({ entries: count, lastSeq: first + count * 1_024_000 })
        .execute()
    })
  } finally {
    await engine.close()
  }
}
