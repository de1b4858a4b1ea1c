/** Chooses a sled for an instance and reserves its resources there. A reservation is charged to the quota. */
import type { CpuFamily } from '@purlin/contract/rules/hardware'
import { formatBytes } from '@purlin/contract/rules/limits'
import { together } from '#/concurrency/together.ts'
import type { UnitOfWork, World } from '#/context.ts'
import type { SledTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { charge } from '#/resources/silos/quotas.ts'
import { detailsOf } from '#/resources/hardware/details.ts'
import { leaseOf } from '#/resources/hardware/leases/host-epochs.ts'
import { sledsInService, sledsOpen } from '#/resources/hardware/sled-rows.ts'
import { confirmSwitch } from '#/resources/storage/layer-switches.ts'
import { changeInstance } from './change.ts'
import { choose, rulesOf, type Candidate, type Neighbours, type NearMember } from './placement-rules.ts'
import type { InstanceRow } from './view.ts'

/** The CPU families that can run a guest of each platform. */
const families: Record<'amd_milan' | 'amd_turin', readonly CpuFamily[]> = {
  amd_milan: ['amd_milan', 'amd_turin'],
  amd_turin: ['amd_turin'],
}

/** Whether a host of a family can run a guest of a platform. */
export const canRun = (family: CpuFamily, platform: InstanceRow['cpuPlatform']): boolean =>
  platform === null || families[platform].includes(family)

type Placing = Pick<World, 'ids'>
/** How a refusal begins: of a start, and of a move from a sled. */
const failed = (reason: string, leaving: string | null) =>
  `Failed to ${leaving === null ? 'place' : 'move'} instance: ${reason}`

/**
 * Reserves a sled, charges the quota and moves the instance to `starting` with a new boot.
 * Throws 507 without capacity or quota, 400 for contradictory affinity.
 */
export async function place(
  world: Placing,
  tx: Tx,
  at: { row: InstanceRow; now: number; automatic?: boolean; unit?: UnitOfWork },
): Promise<InstanceRow> {
  const { row, now } = at
  const sled = await chooseSled(world, tx, { row })
  await reserveSled(tx, sled, row)
  await charge({ tx, now, ...(at.unit ? { unit: at.unit } : {}) }, row, {
    cpus: row.ncpus,
    memory: row.memory,
  })
  return changeInstance(tx, row, {
    now,
    set: {
      runState: 'starting',
      desired: 'running',
      intended: 'running',
      sledId: sled,
      boot: row.boot + 1,
      reset: 0,
      seq: 0,
      dueAt: now,
      attempts: 0,
      lastError: null,
      ...(at.automatic ? { timeLastAutoRestarted: now } : {}),
    },
  })
}

/** Reserves threads and memory of an instance on a sled. */
export const reserveSled = (tx: Tx, sledId: string, { ncpus, memory }: InstanceRow): Promise<unknown> =>
  tx
    .updateTable('sled')
    .set((eb) => ({ usedThreads: eb('usedThreads', '+', ncpus), usedMemory: eb('usedMemory', '+', memory) }))
    .where('id', '=', sledId)
    .execute()

/** Ends the reservation of an instance on a sled. */
export const freeSled = (tx: Tx, sledId: string, { ncpus, memory }: InstanceRow): Promise<unknown> =>
  tx
    .updateTable('sled')
    .set((eb) => ({ usedThreads: eb('usedThreads', '-', ncpus), usedMemory: eb('usedMemory', '-', memory) }))
    .where('id', '=', sledId)
    .execute()

/**
 * Releases the reservation and the charge of an instance whose machine has ended, and completes the snapshots of its disks. The
 * caller changes its row.
 */
export async function release(tx: Tx, row: InstanceRow, now: number): Promise<void> {
  await confirmSwitch(tx, row, row.storage)
  if (row.sledId === null) return
  await freeSled(tx, row.sledId, row)
  await charge({ tx, now }, row, { cpus: -row.ncpus, memory: -row.memory })
}

/** A sled for an instance: another one than that which it is to leave. Throws 507, 400. */
export async function chooseSled(
  world: Placing,
  tx: Tx,
  { row, leaving = null }: { row: InstanceRow; leaving?: string | null },
): Promise<string> {
  const [rules, sleds] = await together([neighbours(tx, row.id), candidates(tx, row)])
  const from = leaving === null ? undefined : await sledOnHost(tx, leaving)
  const others = sleds.filter(({ id }) => id !== leaving)
  const alike = from ? others.filter((to) => keepsCpu(row, from, to)) : others
  if (alike.length === 0 && others.length > 0) throw fault.noCapacity(failed(`${onlySameCpu}.`, leaving))
  const leads = async () => (await withInterfaces(tx, [row.id])).has(row.id)
  const fitting = from ? await reachedFrom(tx, { from, hasInterfaces: await leads() }, alike) : alike
  if (fitting.length === 0 && alike.length > 0) throw fault.noCapacity(failed(`${onlyReached}.`, leaving))
  const [dice = 0] = world.ids.bytes(1)
  const choice = choose({ rules, fitting, leaving, dice: leaving === null ? dice : undefined })
  if (choice.sled !== undefined) return choice.sled
  const { refusal } = choice
  if (refusal.kind === 'contradiction') throw fault.invalid(failed(refusal.why, leaving))
  if (refusal.kind === 'elsewhere') {
    const there = await whyNotThere(tx, row, { sledId: refusal.required, orElse: orElse(leaving) })
    throw fault.noCapacity(failed(`${refusal.why} ${there}`, leaving))
  }
  const why = refusal.why ?? (await whyNoneFits(tx, row, leaving))
  const none = 'Could not find any valid sled on which this instance can be placed. '
  throw fault.noCapacity(failed(`${leaving === null ? none : ''}${why}, or ${orElse(leaving)}.`, leaving))
}

/** The last remedy of a refusal. An instance that is moved runs already. */
const orElse = (leaving: string | null) =>
  leaving === null ? 'start it again later' : 'stop it and start it again later'

/** Machines move between the sleds of one host, and real ones between hosts that have joined. */
export const onlyReached =
  'No host with room can take a running instance from this one: stop it, and start it again'

/** A guest without a platform has the processor of its host, whose features it does not lose while it runs. */
export const onlySameCpu =
  'A running instance without a CPU platform moves only to a sled with the same processor, and none has room: stop it, and start it again'

type WithCpu = Pick<SledTable, 'cpuFamily' | 'hostJson'>

/** Whether a guest finds on another sled the processor that it has been started with. */
export function keepsCpu(
  { cpuPlatform }: Pick<InstanceRow, 'cpuPlatform'>,
  from: WithCpu,
  to: WithCpu,
): boolean {
  const isOfHost = from.cpuFamily === 'other' || to.cpuFamily === 'other'
  if (cpuPlatform !== null || !isOfHost) return true
  const model = detailsOf(from)?.cpuModel
  return from.cpuFamily === to.cpuFamily && model !== undefined && model === detailsOf(to)?.cpuModel
}

type OnHost = Pick<SledTable, 'id' | 'hostId' | 'hostJson'>

const sledOnHost = (tx: Tx, id: string): Promise<OnHost & WithCpu> =>
  tx
    .selectFrom('sled')
    .select(['id', 'hostId', 'cpuFamily', 'hostJson'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** The instances that have network interfaces. */
export async function withInterfaces(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string | null>> {
  const rows = await tx
    .selectFrom('networkInterface')
    .select('instanceId')
    .distinct()
    .where('instanceId', 'in', ids)
    .execute()
  return new Set(rows.map(({ instanceId }) => instanceId))
}

/** Those to which a sled can send a running machine. One without a host is inside of the server that has its lease. */
export async function reachedFrom<T extends OnHost>(
  tx: Tx,
  { from, hasInterfaces }: { from: OnHost; hasInterfaces: boolean },
  sleds: T[],
): Promise<T[]> {
  if (from.hostId !== null)
    return sleds.filter(
      ({ hostId, ...to }) => hostId === from.hostId || (hostId !== null && areAlike(from, to, hasInterfaces)),
    )
  const near = sleds.filter(({ hostId }) => hostId === null)
  if (near.length === 0) return near
  const names = [from, ...near].map((one) => leaseOf(one.id))
  const leases = await tx.selectFrom('lease').select(['name', 'holder']).where('name', 'in', names).execute()
  const holders = new Map(leases.map(({ name, holder }) => [name, holder]))
  return near.filter((one) => holders.get(leaseOf(one.id)) === holders.get(leaseOf(from.id)))
}

type WithDetails = Pick<SledTable, 'hostJson'>

/**
 * Real machines that run in the same way: what a processor does otherwise than its emulation is lost. Where hosts enforce the
 * networks of VPCs, a tunnel leads from one to the other.
 */
function areAlike(one: WithDetails, other: WithDetails, hasInterfaces: boolean): boolean {
  const { accelerator = 'simulated', networkMode, tunnelAddress } = detailsOf(one) ?? {}
  const there = detailsOf(other)
  if (accelerator === 'simulated' || accelerator !== there?.accelerator) return false
  const areJoined = tunnelAddress !== undefined && there.tunnelAddress !== undefined
  return !hasInterfaces || (networkMode === there.networkMode && (networkMode !== 'enforced' || areJoined))
}

/** Why no sled can take an instance: there is none, none accepts instances, none of those can run it, or none has room. */
type Lack = 'any' | 'open' | 'platform' | 'room'

/** Why no sled has capacity for a start, and what the owner can do. */
const noneToStartOn: Record<Lack, (row: Sized) => string> = {
  any: () => 'The system has no sled. Ask an operator to add a host',
  open: () => 'No sled accepts instances now. Ask an operator to open one',
  platform: ({ cpuPlatform }) =>
    `No sled that takes instances can run the CPU platform ${cpuPlatform}. Ask for another platform`,
  room: (row) => `No sled has ${roomFor(row)} free. Make the instance smaller`,
}

/** Why no other sled has capacity for a move, and what an operator can do. */
export const noneToMoveTo: Record<Exclude<Lack, 'any'>, (row: Sized) => string> = {
  open: () => 'No other sled accepts instances now. Open one',
  platform: ({ cpuPlatform }) =>
    `No other sled that takes instances can run the CPU platform ${cpuPlatform}. Open one that can`,
  room: (row) => `No other sled has ${roomFor(row)} free. Move or stop other instances`,
}

async function whyNoneFits(tx: Tx, row: InstanceRow, leaving: string | null): Promise<string> {
  const { cpuPlatform } = row
  const words = leaving === null ? noneToStartOn : noneToMoveTo
  if (leaving === null && !(await sledsInService(tx).select('id').limit(1).executeTakeFirst()))
    return noneToStartOn.any(row)
  const takes = async (platform: InstanceRow['cpuPlatform']) => {
    const sleds = ofPlatform(tx, platform)
    const others = leaving === null ? sleds : sleds.where('id', '!=', leaving)
    return (await others.limit(1).execute()).length > 0
  }
  if (!(await takes(null))) return words.open(row)
  return cpuPlatform && !(await takes(cpuPlatform)) ? words.platform(row) : words.room(row)
}

/** Why an instance cannot go to the one sled that its groups require. */
async function whyNotThere(
  tx: Tx,
  row: InstanceRow,
  { sledId, orElse: or }: { sledId: string; orElse: string },
): Promise<string> {
  const { provisionPolicy, cpuFamily, missingSince, policy } = await tx
    .selectFrom('sled')
    .select(['provisionPolicy', 'cpuFamily', 'missingSince', 'policy'])
    .where('id', '=', sledId)
    .executeTakeFirstOrThrow()
  const { cpuPlatform } = row
  const orLater = `Take the instance out of the group, or ${or}.`
  if (missingSince !== null) return `That sled does not answer. ${orLater}`
  if (provisionPolicy !== 'provisionable' || policy === 'expunged')
    return `That sled accepts no more instances. ${orLater}`
  if (cpuPlatform && !families[cpuPlatform].includes(cpuFamily))
    return `That sled cannot run the CPU platform ${cpuPlatform}. Take the instance out of the group, or ask for another platform.`
  return `That sled has less than ${roomFor(row)} free. ${orLater}`
}

type Sized = Pick<InstanceRow, 'ncpus' | 'memory' | 'cpuPlatform'>

const roomFor = ({ ncpus, memory }: Sized) =>
  `${ncpus === 1 ? '1 vCPU' : `${ncpus} vCPUs`} and ${formatBytes(memory)} of memory`

const candidates = (tx: Tx, row: InstanceRow): Promise<(Candidate & OnHost & WithCpu)[]> =>
  ofPlatform(tx, row.cpuPlatform)
    .select(['hostId', 'cpuFamily', 'hostJson'])
    .select((eb) => eb(eb('usableHardwareThreads', '-', eb.ref('usedThreads')), '+', 0).as('freeThreads'))
    .where((eb) => eb(eb('usableHardwareThreads', '-', eb.ref('usedThreads')), '>=', row.ncpus))
    .where((eb) => eb(eb('reservoirSize', '-', eb.ref('usedMemory')), '>=', row.memory))
    .orderBy('id')
    .execute()

/** The provisionable sleds that answer and can run a guest of this platform. */
function ofPlatform(tx: Tx, platform: InstanceRow['cpuPlatform']) {
  const query = sledsOpen(tx).select('id')
  return platform ? query.where('cpuFamily', 'in', families[platform]) : query
}

/** The other members of an instance's groups that are on sleds. */
async function neighbours(tx: Tx, instanceId: string): Promise<Neighbours> {
  return rulesOf(await membersNear(tx, [instanceId]))
}

/** The members of the groups of instances that are on sleds, or on their way to another one. */
export async function membersNear(tx: Tx, instanceIds: readonly string[]): Promise<NearMember[]> {
  const rows = await tx
    .selectFrom('affinityMember as mine')
    .innerJoin('affinityGroup', 'affinityGroup.id', 'mine.groupId')
    .innerJoin('affinityMember as theirs', 'theirs.groupId', 'mine.groupId')
    .innerJoin('instance', 'instance.id', 'theirs.instanceId')
    .select(['affinityGroup.kind', 'affinityGroup.policy', 'affinityGroup.name'])
    .select(['mine.instanceId as of', 'theirs.instanceId', 'instance.sledId', 'instance.migrationSledId'])
    .where('mine.instanceId', 'in', instanceIds)
    .whereRef('theirs.instanceId', '!=', 'mine.instanceId')
    .where('instance.sledId', 'is not', null)
    .execute()
  return rows.flatMap(({ sledId, migrationSledId, ...row }) =>
    [sledId, migrationSledId].flatMap((on) => (on === null ? [] : [{ ...row, sledId: on }])),
  )
}
