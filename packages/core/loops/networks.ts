/**
 * Pushes the networks of VPCs to the sleds. A request names the VPC, instance or silo that it has changed. Every half
 * minute all VPCs with machines or probes are checked, so that changes missed by a crash or an unreachable sled arrive later.
 * Each network is computed again, and gets a new version if it differs from the pushed one.
 */
import { sql } from 'kysely'
import type { World } from '#/context.ts'
import { yieldToEventLoop } from '#/concurrency/checkpoints.ts'
import { together } from '#/concurrency/together.ts'
import { batches } from '#/db/batches.ts'
import type { Tx } from '#/db/tables.ts'
import { forSled, networkInSlices, type VpcNetwork } from '#/network/model.ts'
import { noWays, waysFor, waysOf, type SledWays, type VpcWays } from '#/network/sled-ways.ts'
import { readVpc } from '#/network/rows.ts'
import { SledUnreachable, type SledNetwork } from '#/ports.ts'
import { hostLeasesOf } from '#/resources/hardware/host-leases.ts'
import { sledWaysIn } from '#/resources/hardware/sled-rows.ts'
import type { Loop } from './loop.ts'

const everyMs = 30_000
/** A sled that did not answer is called again after this time. */
const retryMs = 5_000
/** With more changes than this in a round, all VPCs are checked. */
const mostChanges = 10_000

/** The pause after checking a large VPC, so that many changes cause few checks: 1 s for 1000 interfaces. */
const restMs = ({ interfaces }: VpcNetwork): number => Math.floor(interfaces.length / 100) * 100

/** The network of a VPC as it is to be pushed; null for a VPC that is gone. */
interface PushedNetwork {
  vpcId: string
  version: number
  network: VpcNetwork | null
  ways: VpcWays
}
interface Around {
  world: World
  /** of all that are in service */
  sleds: readonly SledWays[]
}
/** Versions of networks by VPC, for each sled that answers. */
type Held = Map<string, Map<string, number>>

export function pushNetworks(world: World): Loop & { changed(id: string): void } {
  const { engine, clock } = world
  let changed = new Set<string>()
  /** When the paused VPCs are due again. */
  const resting = new Map<string, number>()
  /** VPCs that a sled did not take, which come last: the first that fails on a sled ends the round for it. */
  const failed = new Set<string>()
  let allAt = 0
  let stopped = false

  async function round(): Promise<number> {
    const ids = [...changed]
    changed = new Set()
    try {
      return await lookAt(ids)
    } catch (error) {
      for (const id of ids) changed.add(id)
      throw error
    }
  }

  async function lookAt(ids: readonly string[]): Promise<number> {
    const now = clock.now()
    const isFull = now >= allAt
    const held = await heldBySleds(world)
    const around = { world, sleds: await engine.transaction('read', (tx) => sledWaysIn(tx)) }
    const named = new Set(await engine.transaction('read', (tx) => namedOnSleds(tx, ids, held)))
    const vpcs = new Set(named)
    if (isFull) for (const id of await everyVpc(world, held)) vpcs.add(id)
    if (isFull) allAt = now + everyMs
    let next = allAt
    const later = (vpcId: string, at: number) => {
      changed.add(vpcId)
      next = Math.min(next, at)
    }
    const last = [...failed].filter((id) => vpcs.has(id))
    const first = [...vpcs].filter((id) => !failed.has(id))
    for (const vpcId of [...first, ...last]) {
      if (stopped) return now
      const rested = resting.get(vpcId) ?? 0
      if (rested > clock.now()) {
        later(vpcId, rested)
        continue
      }
      resting.delete(vpcId)
      // Most of the other VPCs are unchanged, so a read avoids delaying concurrent writes.
      const same = named.has(vpcId)
        ? null
        : await engine.transaction('read', (tx) => unchanged(around, tx, vpcId))
      const target = same ?? (await engine.transaction('write', (tx) => targetOf(around, tx, vpcId)))
      const outcome = await push(world, held, target)
      if (outcome !== 'done') later(vpcId, now + retryMs)
      if (outcome !== 'waits') failed.delete(vpcId)
      if (outcome === 'failed') failed.add(vpcId)
      const rest = target.network ? restMs(target.network) : 0
      if (rest > 0) resting.set(vpcId, clock.now() + rest)
      await yieldToEventLoop()
    }
    return next
  }

  /** Has a round look at the VPC with this id, or that an instance, router or gateway with this id is in, or those in the silo. */
  function note(id: string): void {
    if (changed.size < mostChanges) changed.add(id)
    else allAt = 0
  }

  return { name: 'networks', round, rests: true, changed: note, stop: () => (stopped = true) }
}

/** The versions that the sleds report: a sled that has lost power gets everything again. */
async function heldBySleds(world: World): Promise<Held> {
  const { sleds } = world
  const leases = hostLeasesOf(world)
  const held: Held = new Map()
  await Promise.all(
    (await sleds.hardware()).sleds.map(async ({ id }) => {
      if (!leases.holds(id)) return
      const networks = await orNull(sleds.networks(id))
      if (networks) held.set(id, new Map(networks.map(({ vpcId, version }) => [vpcId, version])))
    }),
  )
  return held
}

/** The VPCs that a sled has or should have. Sleds get no others. */
async function namedOnSleds(tx: Tx, ids: readonly string[], held: Held): Promise<string[]> {
  const vpcs = await vpcsOf(tx, ids)
  const onSleds = vpcs.filter((vpcId) => isOnSleds(held, vpcId))
  const others = vpcs.filter((vpcId) => !isOnSleds(held, vpcId))
  for (const some of batches(others, 500)) onSleds.push(...(await placedAmong(tx, some)))
  return onSleds
}

/** The VPCs that are named, that a named instance, router or gateway is in, and those with machines in a named silo. */
async function vpcsOf(tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const found: string[] = []
  for (const some of batches(ids, 500)) {
    found.push(...some)
    for (const [table, column] of inVpcs) {
      const rows = tx.selectFrom(table).select('vpcId')
      for (const { vpcId } of await rows.where(column, 'in', some).execute()) found.push(vpcId)
    }
    found.push(...(await withMachines(tx, some)))
  }
  const known = tx.selectFrom('vpc').select('id')
  const vpcs: string[] = []
  for (const some of batches([...new Set(found)], 500))
    for (const { id } of await known.where('id', 'in', some).execute()) vpcs.push(id)
  return vpcs
}
const inVpcs = [
  ['networkInterface', 'instanceId'],
  ['vpcRouter', 'id'],
  ['internetGateway', 'id'],
] as const

/** The VPCs of silos that have placed machines. Most ids are not silos, and one look-up shows that. */
async function withMachines(tx: Tx, siloIds: readonly string[]): Promise<string[]> {
  const projects = await tx.selectFrom('project').select('id').where('siloId', 'in', siloIds).execute()
  const found: string[] = []
  for (const some of batches(projects, 500)) {
    const rows = await placedIn(tx)
      .where(
        'instance.projectId',
        'in',
        some.map(({ id }) => id),
      )
      .execute()
    const probes = await probedIn(tx)
      .where(
        'probe.projectId',
        'in',
        some.map(({ id }) => id),
      )
      .execute()
    found.push(...[...rows, ...probes].map(({ vpcId }) => vpcId))
  }
  return found
}

/**
 * The VPCs of placed machines: an index has only those machines. An engine that keeps the order of joins would
 * otherwise read all interfaces.
 */
const placedIn = (tx: Tx) =>
  tx
    .selectFrom('instance')
    .crossJoin('networkInterface')
    .select('networkInterface.vpcId')
    .distinct()
    .where('instance.sledId', 'is not', null)
    .whereRef('networkInterface.instanceId', '=', 'instance.id')

/** The VPCs of probes, which are always on a sled. */
const probedIn = (tx: Tx) =>
  tx
    .selectFrom('probe')
    .innerJoin('vpcSubnet', 'vpcSubnet.id', 'probe.subnetId')
    .select('vpcSubnet.vpcId')
    .distinct()

/** The given VPCs that have a machine or a probe on a sled. */
async function placedAmong(tx: Tx, vpcIds: readonly string[]): Promise<string[]> {
  const placed = placedIn(tx)
    .where('instance.projectId', '=', sql.ref<string>('vpc.projectId'))
    .where('networkInterface.vpcId', '=', sql.ref<string>('vpc.id'))
  const probed = probedIn(tx).where('vpcSubnet.vpcId', '=', sql.ref<string>('vpc.id'))
  const rows = tx
    .selectFrom('vpc')
    .select('vpc.id')
    .where('vpc.id', 'in', vpcIds)
    .where((eb) => eb.or([eb.exists(placed), eb.exists(probed)]))
  return (await rows.execute()).map(({ id }) => id)
}

const isOnSleds = (held: Held, vpcId: string): boolean =>
  [...held.values()].some((versions) => versions.has(vpcId))

/** The VPCs that have placed machines or probes, or that a sled has. */
async function everyVpc({ engine }: World, held: Held): Promise<string[]> {
  const [placed, probed] = await engine.transaction('read', (tx) =>
    together([placedIn(tx).execute(), probedIn(tx).execute()]),
  )
  return [
    ...[...placed, ...probed].map(({ vpcId }) => vpcId),
    ...[...held.values()].flatMap((one) => [...one.keys()]),
  ]
}

/** A VPC, and its last pushed version. */
async function look({ world, sleds }: Around, tx: Tx, vpcId: string) {
  const rows = await readVpc(tx, vpcId)
  // The id of a VPC never comes back.
  if (!rows)
    return { gone: { vpcId, version: Number.MAX_SAFE_INTEGER, network: null, ways: noWays } } as const
  const network = await networkInSlices(rows)
  const pushed = await tx
    .selectFrom('vpcNetwork')
    .select(['version', 'digest'])
    .where('vpcId', '=', vpcId)
    .executeTakeFirst()
  const ways = waysOf(network, sleds)
  return { network, ways, digest: digestOf(world, network, ways), pushed }
}

/** The network of a VPC if it is the one that was pushed last, or if the VPC is gone. */
async function unchanged(around: Around, tx: Tx, vpcId: string): Promise<PushedNetwork | null> {
  const { gone, network, ways, digest, pushed } = await look(around, tx, vpcId)
  if (gone) return gone
  return pushed?.digest === digest ? { vpcId, version: pushed.version, network, ways } : null
}

async function targetOf(around: Around, tx: Tx, vpcId: string): Promise<PushedNetwork> {
  const { gone, network, ways, digest, pushed } = await look(around, tx, vpcId)
  if (gone) return gone
  if (pushed?.digest === digest) return { vpcId, version: pushed.version, network, ways }
  // A sled may have what was pushed after the backup was made: no number of then comes again.
  const version = Math.max((pushed?.version ?? 0) + 1, around.world.clock.now())
  await tx
    .insertInto('vpcNetwork')
    .values({ vpcId, version, digest })
    .onConflict((on) => on.column('vpcId').doUpdateSet({ version, digest }))
    .execute()
  return { vpcId, version, network, ways }
}

const digestOf = (
  { passwords }: World,
  { shared, interfaces }: VpcNetwork,
  { tunnels, led }: VpcWays,
): string =>
  passwords.fingerprint(
    JSON.stringify([shared, interfaces, ...(tunnels.length + led.length > 0 ? [tunnels, led] : [])]),
  )

/** Pushes it to each sled that has interfaces of the VPC or leads addresses for them, or had some. It `waits` for sleds that did not answer before. */
async function push(
  world: World,
  held: Held,
  { vpcId, version, network, ways }: PushedNetwork,
): Promise<'done' | 'waits' | 'failed'> {
  const { sleds } = world
  const leases = hostLeasesOf(world)
  const placed = new Set(network?.interfaces.flatMap(({ sledId }) => (sledId === null ? [] : [sledId])))
  const concerned = new Set([...placed, ...ways.led.map(({ leader }) => leader.sledId)])
  let hasFailed = false
  for (const [sledId, versions] of held) {
    const had = versions.get(vpcId)
    const isPushed = concerned.has(sledId) ? had === version : had === undefined
    if (isPushed) continue
    const pushed = network && placed.has(sledId) ? forSled(network, sledId, version) : nothing(vpcId, version)
    if (await orNull(sleds.setNetwork(sledId, { ...pushed, ...waysFor(ways, sledId) }).then(() => true)))
      continue
    held.delete(sledId)
    hasFailed = true
  }
  if (hasFailed) return 'failed'
  return [...concerned].every((sledId) => held.has(sledId) || !leases.holds(sledId)) ? 'done' : 'waits'
}

const nothing = (vpcId: string, version: number): SledNetwork => ({
  vpcId,
  version,
  vni: 0,
  rules: [],
  routeSets: [],
  peers: [],
  interfaces: [],
})

/** Null if the sled does not answer. */
const orNull = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (error instanceof SledUnreachable) return null
    throw error
  })
