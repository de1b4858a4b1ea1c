/** Stores what sleds have measured as timeseries, merges it there, and deletes it when it is too old. */
import type { Selectable } from 'kysely'
import type { World } from '#/context.ts'
import type { DiskTable, InstanceTable, SledTable, Tx } from '#/db/tables.ts'
import { SledUnreachable, type Measures, type SampleBatch, type VmSamples } from '#/ports.ts'
import { batches } from '#/db/batches.ts'
import { isGauge } from '#/timeseries/schemas.ts'
import { addSamples, type Measured } from '#/timeseries/store-write.ts'
import type { Labels } from '#/timeseries/store.ts'
import { dropOld, dropOldPeriods, mergeHours } from '#/timeseries/maintenance.ts'
import type { Loop } from './loop.ts'
import type { Checkpoint } from '#/concurrency/checkpoints.ts'
import { hostLeasesOf } from '#/resources/hardware/host-leases.ts'
import { runOnAll, runWithLease, type PeriodicTask } from './leases.ts'

// The rest of the time belongs to other work: the sleds keep samples for an hour.
const whileFullMs = 10_000
const usual = { collectMs: 30_000, upkeepMs: 10 * 60_000 }
// A small batch, because other transactions wait for its end.
const machinesAtOnce = 10

type Sled = Selectable<SledTable>

/** Collects from every sled. A sled that did not answer is called again in the next round, from the same time. */
export function collectSamples(world: World): Loop {
  const leases = hostLeasesOf(world)
  return periodicLoop(world, 'samples', {
    name: 'samples',
    everyMs: (world.samples ?? usual).collectMs,
    run: async (checkpoint) => {
      for (const sled of await world.engine.transaction('read', sledsWithMarks))
        if (leases.holds(sled.id)) await collectFrom(world, sled, checkpoint)
    },
  })
}

/** Keeps the store small. */
export function keepUpSamples(world: World): Loop {
  return periodicLoop(world, 'upkeep', {
    name: 'samples-upkeep',
    everyMs: (world.samples ?? usual).upkeepMs,
    run: async (checkpoint) => {
      await mergeHours(world.engine, world.clock.now(), checkpoint)
      await dropOld(world.engine, world.clock.now(), checkpoint)
      await dropOldPeriods(world.engine, world.clock.now(), checkpoint)
    },
  })
}

function periodicLoop(world: World, name: Loop['name'], task: PeriodicTask): Loop {
  let stopped = false
  return {
    name,
    round: async () => {
      if (name !== 'samples') return runWithLease(world, () => stopped, task)
      if (world.storage?.isFull()) return world.clock.now() + whileFullMs
      // Where servers share the sleds, each collects from its own.
      const run = hostLeasesOf(world).isShared ? runOnAll : runWithLease
      return run(world, () => stopped, task)
    },
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
  checkpoint: Checkpoint,
): Promise<void> {
  const { engine } = world
  let since = until
  for (let more = true; more && (await checkpoint());) {
    const batch = await ask(world, sled.id, since)
    if (!batch) return
    for (const machines of batches(batch.machines, machinesAtOnce))
      await engine.transaction('write', async (tx) => addSamples(world, tx, await known(tx, sled, machines)))
    // Only after storing: a crash in between collects the same samples twice, which does no harm.
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
 * The samples of instances that still exist, with the fields of their targets. Those of an older boot are
 * dropped: samples of the newer one may be stored already.
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
      if (!fields) return []
      const [gauges, counters] = [true, false].map((wanted) =>
        one.series.filter(({ metric }) => isGauge(one.kind, metric) === wanted),
      )
      const of = (series: Measures['series'] = [], from: number | null = start) =>
        series.length > 0 ? [{ target: one.kind, fields, start: from, times: one.times, series }] : []
      return [...of(counters), ...of(gauges, null)]
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
