/** What sleds have measured goes into the store of timeseries, is merged there, and leaves it again. */
import type { Selectable } from 'kysely'
import type { World } from '../context.ts'
import type { DiskTable, InstanceTable, SledTable, Tx } from '../db/tables.ts'
import { SledUnreachable, type Measures, type SampleBatch, type VmSamples } from '../ports.ts'
import { pieces } from '../pieces.ts'
import { addSamples, type Measured } from '../timeseries/store-write.ts'
import type { Labels } from '../timeseries/store.ts'
import { dropOld, mergeHours } from '../timeseries/upkeep.ts'
import type { Loop } from './loop.ts'
import type { Keep } from '../turn.ts'
import { takeTurn, type Recurring } from './turns.ts'

const usual = { collectMs: 30_000, upkeepMs: 10 * 60_000 }
// Others wait for the end of a transaction.
const machinesAtOnce = 10

type Sled = Selectable<SledTable>

/** Collects from every sled. One that does not answer is asked again in the next round, from where it was left. */
export function collectSamples(world: World): Loop {
  return looped(world, 'samples', {
    name: 'samples',
    everyMs: (world.samples ?? usual).collectMs,
    pieces: async (keep) => {
      for (const sled of await world.engine.transaction('read', sledsWithMarks))
        await collectFrom(world, sled, keep)
    },
  })
}

/** Keeps the store small. */
export function keepUpSamples(world: World): Loop {
  return looped(world, 'upkeep', {
    name: 'samples-upkeep',
    everyMs: (world.samples ?? usual).upkeepMs,
    pieces: async (keep) => {
      await mergeHours(world.engine, world.clock.now(), keep)
      await dropOld(world.engine, world.clock.now(), keep)
    },
  })
}

function looped(world: World, name: Loop['name'], work: Recurring): Loop {
  let stopped = false
  return {
    name,
    round: () => takeTurn(world, () => stopped, work),
    stop: () => (stopped = true),
  }
}

/** All sleds, each with the time until which it was collected from. */
const sledsWithMarks = (tx: Tx) =>
  tx
    .selectFrom('sled')
    .leftJoin('sledSamples', 'sledSamples.sledId', 'sled.id')
    .selectAll('sled')
    .select('sledSamples.until')
    .execute()

async function collectFrom(
  world: World,
  { until, ...sled }: Sled & { until: number | null },
  keep: Keep,
): Promise<void> {
  const { engine } = world
  let since = until
  for (let more = true; more && (await keep());) {
    const batch = await ask(world, sled.id, since)
    if (!batch) return
    for (const some of pieces(batch.machines, machinesAtOnce))
      await engine.transaction('write', async (tx) => addSamples(world, tx, await known(tx, sled, some)))
    // Only now: after a crash in between, samples that came already come again, which does no harm.
    if (batch.machines.length > 0)
      await engine.transaction('write', (tx) => collected(tx, { sledId: sled.id, until: batch.until }))
    since = batch.until
    more = batch.more
  }
}

/** Null if the sled does not answer. */
async function ask({ sleds }: World, sledId: string, since: number | null): Promise<SampleBatch | null> {
  try {
    return await sleds.samples(sledId, since)
  } catch (error) {
    if (error instanceof SledUnreachable) return null
    throw error
  }
}

async function collected(tx: Tx, row: { sledId: string; until: number }): Promise<void> {
  await tx
    .insertInto('sledSamples')
    .values(row)
    .onConflict((on) => on.column('sledId').doUpdateSet({ until: row.until }))
    .execute()
}

type Instance = Pick<Selectable<InstanceTable>, 'id' | 'projectId' | 'siloId' | 'boot'>
type Disk = Pick<Selectable<DiskTable>, 'id' | 'blockSize'>

/**
 * The samples of what there still is, each with the fields of what was measured. An older boot's come
 * too late: those of the newer one may be in the store already.
 */
async function known(tx: Tx, sled: Sled, machines: readonly VmSamples[]): Promise<Measured[]> {
  const instances = await tx
    .selectFrom('instance')
    .select(['id', 'projectId', 'siloId', 'boot'])
    .where(
      'id',
      'in',
      machines.map(({ id }) => id),
    )
    .execute()
  const disks = await tx
    .selectFrom('disk')
    .select(['id', 'blockSize'])
    .where(
      'id',
      'in',
      machines.flatMap(({ measures }) => measures.map(({ id }) => id)),
    )
    .execute()
  return machines.flatMap(({ id, boot, start, measures }) => {
    const instance = instances.find((one) => one.id === id)
    if (!instance || instance.boot !== boot) return []
    return measures.flatMap((one) => {
      const fields = fieldsOf(one, { instance, sled, disks })
      return fields ? [{ target: one.kind, fields, start, times: one.times, series: one.series }] : []
    })
  })
}

function fieldsOf(
  { kind, id }: Measures,
  { instance, sled, disks }: { instance: Instance; sled: Sled; disks: readonly Disk[] },
): Labels | null {
  const owner = { project_id: instance.projectId, silo_id: instance.siloId }
  switch (kind) {
    case 'virtual_machine':
      return {
        instance_id: id,
        ...owner,
        sled_id: sled.id,
        sled_model: sled.part,
        sled_revision: sled.revision,
        sled_serial: sled.serial,
      }
    case 'virtual_disk': {
      const disk = disks.find((one) => one.id === id)
      if (!disk) return null
      return { disk_id: id, attached_instance_id: instance.id, ...owner, block_size: disk.blockSize }
    }
    case 'instance_network_interface':
      return { interface_id: id, instance_id: instance.id, ...owner }
  }
}
