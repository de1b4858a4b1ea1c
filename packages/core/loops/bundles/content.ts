/** The content of a support bundle. Never a secret: no table with one is read but to count its rows. */
import { limits } from '@purlin/contract/rules/limits'
import { bundleLimits } from '@purlin/contract/rules/support-bundles'
import { sql } from 'kysely'
import { bytesOf } from '#/bytes.ts'
import type { World } from '#/context.ts'
import { tables } from '#/db/schema.ts'
import type { SupportBundleTable, TableName, Tx } from '#/db/tables.ts'
import type { MadeFile } from '#/ports.ts'
import { findings } from '#/resources/alerts/attention.ts'

/** All files, by source. If one source fails, the files of the others are there. */
export const contentOf = (world: World, bundle: SupportBundleTable): AsyncIterable<MadeFile>[] => [
  ofDatabase(world, bundle),
  ...(world.bundles?.ofServer ? [world.bundles.ofServer()] : []),
  ofHosts(world),
]

/** Each part of the database is read in a transaction that is short. */
async function* ofDatabase(world: World, bundle: SupportBundleTable): AsyncGenerator<MadeFile> {
  const { engine, clock } = world
  const { id, reasonForCreation, userComment, timeCreated } = bundle
  const about = { id, reasonForCreation, userComment, timeCreated: new Date(timeCreated) }
  yield json('bundle.json', () => Promise.resolve({ ...about, timeCollected: new Date(clock.now()) }))
  for (const [path, read] of Object.entries(parts))
    yield json(path, () => engine.transaction('read', (tx) => read(tx, clock.now(), engine.name)))
  yield json('database/rows.json', () => rowCounts(world))
}

async function* ofHosts({ sleds }: World): AsyncGenerator<MadeFile> {
  for await (const { serial, name, content } of sleds.diagnostics())
    yield { path: `hosts/${serial}/${name}`, content }
}

const json = (path: string, read: () => Promise<unknown>): MadeFile => ({ path, content: jsonOf(read) })

async function* jsonOf(read: () => Promise<unknown>): AsyncGenerator<Uint8Array> {
  const exact = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  yield bytesOf(`${JSON.stringify(await read(), exact, 2)}\n`)
}

type Part = (tx: Tx, now: number, engine: World['engine']['name']) => Promise<unknown>

const { listed } = bundleLimits
/** The first rows of a table without secrets. */
const rowsOf =
  (
    table:
      | 'rack'
      | 'sled'
      | 'uninitializedSled'
      | 'physicalDisk'
      | 'switch'
      | 'switchPort'
      | 'updateComponent'
      | 'targetRelease'
      | 'rollOut',
  ): Part =>
  (tx) =>
    tx.selectFrom(table).selectAll().limit(listed).execute()

const parts: Record<string, Part> = {
  'health/attention.json': (tx, now) => findings(tx, now),
  'health/leases.json': (tx) =>
    tx.selectFrom('lease').select(['name', 'until']).orderBy('name').limit(listed).execute(),
  'database/version.json': versionOf,
  'hardware/racks.json': rowsOf('rack'),
  'hardware/sleds.json': rowsOf('sled'),
  'hardware/uninitialized-sleds.json': rowsOf('uninitializedSled'),
  'hardware/physical-disks.json': rowsOf('physicalDisk'),
  'hardware/switches.json': rowsOf('switch'),
  'hardware/switch-ports.json': rowsOf('switchPort'),
  'updates/components.json': rowsOf('updateComponent'),
  'updates/target-releases.json': rowsOf('targetRelease'),
  'updates/roll-out.json': rowsOf('rollOut'),
  'tasks/unfinished.json': (tx) =>
    tasksOf(tx).where('state', 'in', ['preparing', 'waiting', 'running']).execute(),
  'tasks/failed.json': (tx) => tasksOf(tx).where('state', '=', 'failed').execute(),
  'tasks/failed-items.json': (tx) =>
    tx
      .selectFrom('taskItem')
      .select(['taskId', 'itemId', 'name', 'code', 'message', 'timeCompleted'])
      .where('state', '=', 'failed')
      .orderBy('taskId', 'desc')
      .limit(listed)
      .execute(),
}

/** The newest tasks. */
const tasksOf = (tx: Tx) =>
  tx
    .selectFrom('task')
    .select([
      'id',
      'userId',
      'at',
      'kind',
      'action',
      'state',
      'total',
      'leaseUntil',
      'timeStarted',
      'timeEnded',
    ])
    .select(['countsJson', 'message'])
    .orderBy('at', 'desc')
    .limit(listed)

async function versionOf(...[tx, , engine]: Parameters<Part>): Promise<unknown> {
  const version = engine === 'sqlite' ? sql`sqlite_version()` : sql`current_setting('server_version')`
  return { engine, ...(await tx.selectNoFrom(version.as('version')).executeTakeFirst()) }
}

const { counted } = limits.lists

/** The number of rows of each table; of large ones that there are more. */
async function rowCounts({ engine }: World): Promise<Record<string, number | string>> {
  const counts: Record<string, number | string> = {}
  for (const table of tables) {
    const count = await engine.transaction('read', (tx) => countIn(tx, table))
    counts[table] = count > counted ? `more than ${counted}` : count
  }
  return counts
}

async function countIn(tx: Tx, table: TableName): Promise<number> {
  const { count } = await tx
    .selectFrom(
      tx
        .selectFrom(table)
        .select(sql<number>`1`.as('one'))
        .limit(counted + 1)
        .as('some'),
    )
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
