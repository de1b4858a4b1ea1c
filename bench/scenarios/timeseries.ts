/**
 * The cost and storage of collecting the metrics of a thousand instances, and the time to read, align and group an
 * hour of them. Time is simulated: an hour is collected as fast as possible, in rounds of 30 seconds.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { GiB } from '@purlin/contract/rules/limits'
import type { World } from '@purlin/core'
import type { Engine, Tables } from '@purlin/core/ports'
import {
  answerQuery,
  collectSamples,
  createCheckpoint,
  createTimeseriesReader,
  keepUpSamples,
  migrate,
  recordHardware,
} from '@purlin/core/testing/timeseries-store'
import { createMemoryBlobs } from '@purlin/databases/blobs-in-memory'
import { openPostgres } from '@purlin/databases/postgres'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { manualClock, type ManualClock } from '@purlin/sleds/manual-clock'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { startPostgres } from '@purlin/server/testing/postgres'
import { newFolder } from '@purlin/server/testing/children'
import { median, type Figure, type Pace } from '../figures.ts'

const instances = 1000
const disksEach = 2
const sledsOfRack = 8
const roundMs = 30_000
const hourMs = 3_600_000

export async function timeseriesOnSqlite(pace: Pace): Promise<Figure[]> {
  const folder = newFolder()
  const file = join(folder.path, 'purlin.db')
  const found = await timeseriesOn(openSqlite(file), pace)
  const { size } = statSync(file)
  folder.remove()
  return [...found, { name: 'file, per instance and hour', value: size / instances / 1024, unit: 'kB' }]
}

export async function timeseriesOnPostgres(pace: Pace): Promise<Figure[]> {
  const postgres = await startPostgres({ durable: true })
  try {
    return await timeseriesOn(
      openPostgres(postgres.url, () => undefined),
      pace,
    )
  } finally {
    await postgres.stop()
  }
}

/** The figures of one database, which is closed then. */
async function timeseriesOn(bare: Engine, pace: Pace): Promise<Figure[]> {
  const writes: number[] = []
  const world = worldOn(timed(bare, writes))
  await migrate(world.engine, world.clock.now())
  await recordHardware(world)
  await addMachines(world)
  const collect = await collected(world, pace)
  const longest = Math.max(...writes)
  const before = await answered(world, pace)
  const merge = await cpuMs(async () => {
    await world.clock.advance(hourMs)
    await keepUpSamples(world).round()
  })
  const after = await answered(world, pace)
  await world.engine.close()
  return [
    { name: 'collect: share of a core', value: (100 * collect) / roundMs, unit: '%' },
    { name: 'collect: longest transaction', value: longest, unit: 'ms' },
    { name: 'merge: share of a core', value: (100 * merge) / hourMs, unit: '%' },
    { name: 'query 1000 x 1 h, as collected', value: before, unit: 'ms' },
    { name: 'query 1000 x 1 h, merged', value: after, unit: 'ms' },
  ]
}

type BenchWorld = World & { clock: ManualClock }

function worldOn(engine: Engine): BenchWorld {
  const clock = manualClock({ start: Date.UTC(2026, 0, 1) })
  const nothing = () => undefined
  const unused = () => {
    throw new Error('not needed here')
  }
  return {
    engine,
    clock,
    ids: { uuid: randomUUID, bytes: (n) => new Uint8Array(randomBytes(n)) },
    passwords: {
      hash: unused,
      verify: unused,
      isOutdated: unused,
      common: unused,
      fingerprint: unused,
      sign: unused,
    },
    sleds: createSimulatedSleds({ clock, rack: { sleds: sledsOfRack } }),
    blobs: createMemoryBlobs(),
    sha256: unused,
    log: { info: nothing, warn: nothing, error: nothing },
    sessions: { idleMs: 0, absoluteMs: 0 },
  }
}

/** The same engine; how long each write took goes into `writes`, in ms. */
function timed(engine: Engine, writes: number[]): Engine {
  const transaction: Engine['transaction'] = (mode, work, reads) =>
    engine.transaction(
      mode,
      async (...begun) => {
        const began = performance.now()
        const value = await work(...begun)
        if (mode === 'write') writes.push(performance.now() - began)
        return value
      },
      reads,
    )
  return { ...engine, transaction }
}

/** Machines with two vCPUs, two disks and an interface, spread over the sleds. */
async function addMachines({ engine, clock, sleds }: BenchWorld): Promise<void> {
  const rack = await engine.transaction('read', (tx) => tx.selectFrom('sled').selectAll().execute())
  const owner = { projectId: randomUUID(), siloId: randomUUID() }
  for (let i = 0; i < instances; i++) {
    const { instance, disks } = machine(`vm-${i}`, {
      ...owner,
      sled: rack[i % rack.length],
      now: clock.now(),
    })
    await engine.transaction('write', async (tx) => {
      await tx.insertInto('instance').values(instance).execute()
      await tx.insertInto('disk').values(disks).execute()
    })
    const { id, boot, reset, name, hostname, ncpus, memory, bootDiskId } = instance
    const spec = { boot, reset, storage: 0, name, hostname, ncpus, memory, bootDiskId, sshPublicKeys: [] }
    await sleds.ensure(id, {
      ...spec,
      cpuPlatform: 'amd_milan',
      sledId: instance.sledId ?? '',
      disks: disks.map((disk) => ({ ...disk, slot: disk.slot ?? 0, layers: [] })),
      nics: [{ id: randomUUID(), mac: 'A8:40:25:F0:00:01', slot: 0 }],
      userData: new Uint8Array(0),
    })
  }
}

function machine(
  name: string,
  of: { projectId: string; siloId: string; sled: Tables['sled'] | undefined; now: number },
): { instance: Tables['instance']; disks: Tables['disk'][] } {
  const { projectId, siloId, sled, now } = of
  const head = { name, description: '', timeCreated: now, timeModified: now, projectId, siloId }
  const id = randomUUID()
  const instance: Tables['instance'] = {
    id,
    ...head,
    ncpus: 2,
    memory: 4 * GiB,
    hostname: name,
    userData: '',
    runState: 'running',
    timeRunStateUpdated: now,
    generation: 1,
    bootDiskId: null,
    autoRestartPolicy: null,
    timeLastAutoRestarted: null,
    cpuPlatform: null,
    machineType: null,
    desired: 'running',
    intended: 'running',
    sledId: sled?.id ?? null,
    forcedBoot: null,
    boot: 1,
    reset: 0,
    seq: 0,
    storage: 0,
    storageConfirmed: 0,
    dueAt: null,
    attempts: 0,
    lastError: null,
    isProtected: null,
    tagsJson: null,
    migrationId: null,
    migrationSledId: null,
  }
  const disks = Array.from({ length: disksEach }, (_, slot): Tables['disk'] => ({
    id: randomUUID(),
    ...head,
    name: `${name}-${slot}`,
    size: GiB,
    blockSize: 512,
    snapshotId: null,
    imageId: null,
    state: 'attached',
    instanceId: id,
    slot,
    generation: 1,
    layerId: null,
    isProtected: null,
    tagsJson: null,
    timeLastUsed: 0,
  }))
  return { instance, disks }
}

/** Collects an hour; returns the median CPU time of a round, in ms. */
async function collected(world: BenchWorld, { rounds }: Pace): Promise<number> {
  const loop = collectSamples(world)
  const spent: number[] = []
  // The quick pace sees less than an hour.
  const count = rounds > 1 ? hourMs / roundMs : 20
  for (let round = 0; round < count; round++) {
    await world.clock.advance(roundMs)
    spent.push(await cpuMs(() => loop.round()))
  }
  return median(spent)
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** How long a query over the hour takes, of one series of each instance, in ms. */
async function answered(world: BenchWorld, { rounds }: Pace): Promise<number> {
  const text = `get virtual_machine:vcpu_usage
    | filter timestamp >= @2026-01-01T00:00:00 && timestamp < @2026-01-01T01:00:00
    | filter state == "run" && vcpu_id == 0
    | align mean_within(60s) | group_by [sled_id], sum`
  const spent: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    const [table] = await answerQuery(text, null, {
      reader: createTimeseriesReader(world),
      now: world.clock.now(),
      checkpoint: createCheckpoint(world.clock),
    })
    spent.push(performance.now() - began)
    if (table?.timeseries.length !== sledsOfRack) throw new Error('the query has found something else')
  }
  return median(spent)
}
