/** Databases with many instances. The first is made through the API, the rest are copies of its row. */
import { randomUUID } from 'node:crypto'
import { fromKey, keyOf, parseIp } from '@purlin/contract/rules/network/ip'
import { GiB } from '@purlin/contract/rules/limits'
import type { InstanceState } from '@purlin/contract/rules/states'
import { openPostgres } from '@purlin/databases/postgres'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { join } from 'node:path'
import { digits } from './load.ts'
import { admin } from '@purlin/server/testing/process'
import { signIn, type Api } from '@purlin/server/testing/requests'
import { startServer, type Place } from './scenarios/servers.ts'

/** The project that holds every instance: the hardest case for a list. */
export const project = 'bench'
export const instanceName = (index: number | '<index>') => `vm-${index === '<index>' ? index : digits(index)}`

/** Creates one stopped instance without disks and interfaces. */
export const createInstance = (api: Api, name: string) =>
  api.instanceCreate({
    query: { project },
    body: {
      name,
      description: 'Made to be measured',
      hostname: name,
      ncpus: 2,
      memory: 4 * GiB,
      start: false,
      networkInterfaces: { type: 'none' },
    },
  })

/** Someone who administers a new silo, which has none of the instances that a silo may have. */
export async function signInElsewhere(url: string, api: Api): Promise<Awaited<ReturnType<typeof signIn>>> {
  const person = { ...admin, silo: 'elsewhere' }
  const { silo, user, password } = person
  await api.siloCreate({
    body: {
      name: silo,
      description: '',
      discoverable: true,
      identityMode: 'local_only',
      quotas: { cpus: 1000, memory: 1000 * GiB, storage: 1000 * GiB },
      tlsCertificates: [],
    },
  })
  const { id } = await api.localIdpUserCreate({
    query: { silo },
    body: { externalId: user, password: { mode: 'password', value: password } },
  })
  const role = { identityType: 'silo_user', identityId: id, roleName: 'admin' } as const
  await api.siloPolicyUpdate({ params: { silo }, body: { roleAssignments: [role] } })
  return signIn(url, person)
}

type Engine = ReturnType<typeof openSqlite>

const open = (place: Place): Engine =>
  'databaseUrl' in place
    ? openPostgres(place.databaseUrl, () => undefined)
    : openSqlite(join(place.folder, 'purlin.db'))

// Both engines limit the parameters of a statement; a row of an instance has more than thirty.
const rowsPerInsert = 500
const insertsPerCommit = 20

/** Fills a new database with `count` instances in one project. No server may run on it. */
export async function seed(place: Place, count: number): Promise<void> {
  const server = await startServer(place)
  const { api } = await signIn(server.url)
  await api.projectCreate({ body: { name: project, description: 'Holds every instance' } })
  const { id } = await createInstance(api, instanceName(0))
  await server.stop()
  const engine = open(place)
  try {
    await multiply(engine, id, {
      table: 'instance',
      count,
      named: (index) => ({ name: instanceName(index), hostname: instanceName(index) }),
    })
  } finally {
    await engine.close()
  }
}

/** Gives one of this many instances of the project a tag, and the next one a state. No server may run on the database. */
export async function tagSome(
  place: Place,
  { every, tag: [key, value], state }: { every: number; tag: [string, string]; state: InstanceState },
): Promise<void> {
  const engine = open(place)
  try {
    const ids = await engine.transaction('read', (tx) =>
      tx.selectFrom('instance').select(['id', 'projectId']).orderBy('name').execute(),
    )
    const nth = (rest: number) => ids.filter((_, i) => i % every === rest)
    await engine.transaction('write', async (tx) => {
      for (const { id, projectId } of nth(0)) {
        const tag = { resourceId: id, kind: 'instance', holderId: projectId, key, value }
        await tx.insertInto('tag').values(tag).execute()
        await tx
          .updateTable('instance')
          .set({ tagsJson: JSON.stringify({ [key]: value }) })
          .where('id', '=', id)
          .execute()
      }
      for (const { id } of nth(1))
        await tx.updateTable('instance').set({ runState: state }).where('id', '=', id).execute()
    })
  } finally {
    await engine.close()
  }
}

export const imageName = (index: number) => `image-${digits(index)}`

/** Fills the project that `seed` made with images of one empty disk. No server may run on the database. */
export async function seedImages(place: Place, count: number): Promise<void> {
  const server = await startServer(place)
  const { api } = await signIn(server.url)
  const query = { project }
  const name = imageName(0)
  const diskSource = { type: 'blank', blockSize: 4096 } as const
  await api.diskCreate({ query, body: { name, description: '', size: GiB, diskSource } })
  const { id: snapshot } = await api.snapshotCreate({ query, body: { name, description: '', disk: name } })
  const isReady = async () => (await api.snapshotView({ params: { snapshot }, query: {} })).state === 'ready'
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 100))
  const source = { type: 'snapshot', id: snapshot } as const
  const { id } = await api.imageCreate({
    query,
    body: { name, description: '', os: 'bench', version: '1', source },
  })
  // The copies have its digest, so no digest is computed during the measurement.
  const hasDigest = async () => (await api.imageView({ params: { image: id }, query: {} })).digest
  while (!(await hasDigest())) await new Promise((resolve) => setTimeout(resolve, 100))
  await server.stop()
  const engine = open(place)
  try {
    await multiply(engine, id, { table: 'image', count, named: (index) => ({ name: imageName(index) }) })
  } finally {
    await engine.close()
  }
}

interface Copies {
  table: 'instance' | 'image'
  count: number
  /** The columns that differ between copies. */
  named: (index: number) => { name: string }
}

async function multiply(engine: Engine, id: string, { table, count, named }: Copies): Promise<void> {
  const first = await engine.transaction('read', (tx) =>
    tx.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )
  const { words } = await engine.transaction('read', (tx) =>
    tx.selectFrom('searchText').select('words').where('id', '=', id).executeTakeFirstOrThrow(),
  )
  const copy = (index: number) => ({ ...first, id: randomUUID(), ...named(index) })
  // Its words are in the name and the id alone.
  const bare = (uuid: string) => uuid.replaceAll('-', '')
  const wordsOf = (one: { id: string }, index: number) => ({
    id: one.id,
    kind: table,
    words: words
      .replaceAll(digits(0), digits(index))
      .replace(bare(id), bare(one.id))
      .replace(/ 0 /, ` ${index} `),
  })
  const perCommit = rowsPerInsert * insertsPerCommit
  for (let at = 1; at < count; at += perCommit)
    await engine.transaction('write', async (tx) => {
      const end = Math.min(count, at + perCommit)
      for (let from = at; from < end; from += rowsPerInsert) {
        const length = Math.min(rowsPerInsert, end - from)
        const rows = Array.from({ length }, (_, i) => copy(from + i))
        await tx.insertInto(table).values(rows).execute()
        await tx
          .insertInto('searchText')
          .values(rows.map((row, i) => wordsOf(row, from + i)))
          .execute()
      }
    })
  await engine.transaction('write', (tx) =>
    tx
      .updateTable('tally')
      .set({ count })
      .where('kind', '=', table)
      .where('holderId', '=', first.projectId)
      .execute(),
  )
}

/** Gives the first silo a default pool of sixteen million addresses. No server may run on the database. */
export async function addPool(place: Place): Promise<void> {
  const engine = open(place)
  const [pool, range] = [randomUUID(), randomUUID()]
  const now = Date.now()
  const [firstKey, lastKey] = ['10.0.0.0', '10.255.255.255'].map(keyOfText) as [string, string]
  try {
    await engine.transaction('write', async (tx) => {
      const silo = await tx.selectFrom('silo').select('id').executeTakeFirstOrThrow()
      const head = { id: pool, name: 'bench', description: '', timeCreated: now, timeModified: now }
      await tx
        .insertInto('ipPool')
        .values({ ...head, rcgen: 0 })
        .execute()
      const span = { firstKey, lastKey, nextKey: firstKey }
      await tx
        .insertInto('ipPoolRange')
        .values({ id: range, ipPoolId: pool, ...span, timeCreated: now })
        .execute()
      await tx.insertInto('ipPoolSilo').values({ ipPoolId: pool, siloId: silo.id, isDefault: 1 }).execute()
    })
  } finally {
    await engine.close()
  }
}

/** Gives out the lowest `count` addresses of the pool that `addPool` made. No server may run on the database. */
export async function takeAddresses(place: Place, count: number): Promise<void> {
  const engine = open(place)
  try {
    const [range] = await engine.transaction('read', (tx) =>
      tx.selectFrom('ipPoolRange').selectAll().execute(),
    )
    if (!range) throw new Error('there is no pool: call addPool first')
    const first = fromKey(range.firstKey)
    const keyAt = (i: number) => keyOf({ ...first, value: first.value + BigInt(i) })
    const taken = (i: number) => {
      const id = randomUUID()
      const rest = { instanceId: null, firstPort: 0, lastPort: 65_535, timeCreated: 0, timeModified: 0 }
      const owner = { projectId: id, name: id, description: '' }
      return { id, kind: 'ephemeral' as const, ipPoolId: range.ipPoolId, ipKey: keyAt(i), ...owner, ...rest }
    }
    const perCommit = rowsPerInsert * insertsPerCommit
    for (let at = 0; at < count; at += perCommit)
      await engine.transaction('write', async (tx) => {
        for (let from = at; from < Math.min(count, at + perCommit); from += rowsPerInsert) {
          const length = Math.min(rowsPerInsert, count - from)
          const rows = Array.from({ length }, (_, i) => taken(from + i))
          await tx.insertInto('externalIp').values(rows).execute()
        }
        await tx
          .updateTable('ipPoolRange')
          .set({ nextKey: keyAt(Math.min(count, at + perCommit)) })
          .where('id', '=', range.id)
          .execute()
      })
  } finally {
    await engine.close()
  }
}

const keyOfText = (text: string): string => {
  const address = parseIp(text)
  return address ? keyOf(address) : ''
}

/** Makes a schema of PostgreSQL: a database within the database. */
export async function makeSchema(place: Place, name: string): Promise<void> {
  const engine = open(place)
  await engine.transaction('write', (tx) => tx.schema.createSchema(name).execute())
  await engine.close()
}
