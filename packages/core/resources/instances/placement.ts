/** Chooses a sled for an instance and reserves its resources there. A reservation is charged to the quota. */
import type { CpuFamily } from '@purlin/contract/rules/hardware'
import { formatBytes } from '@purlin/contract/rules/limits'
import { together } from '#/concurrency/together.ts'
import type { UnitOfWork, World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { charge } from '#/resources/silos/quotas.ts'
import { changeInstance } from './change.ts'
import type { InstanceRow } from './view.ts'

/** The CPU families that can run a guest of each platform. */
const families: Record<'amd_milan' | 'amd_turin', readonly CpuFamily[]> = {
  amd_milan: ['amd_milan', 'amd_turin'],
  amd_turin: ['amd_turin'],
}

type Placing = Pick<World, 'ids'>
const failed = (reason: string) => `Failed to place instance: ${reason}`

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
  const sled = await chooseSled(world, tx, row)
  await tx
    .updateTable('sled')
    .set((eb) => ({
      usedThreads: eb('usedThreads', '+', row.ncpus),
      usedMemory: eb('usedMemory', '+', row.memory),
    }))
    .where('id', '=', sled)
    .execute()
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

/** Releases the reservation and the charge of an instance whose machine has ended. The caller changes its row. */
export async function release(tx: Tx, row: InstanceRow, now: number): Promise<void> {
  if (row.sledId === null) return
  await tx
    .updateTable('sled')
    .set((eb) => ({
      usedThreads: eb('usedThreads', '-', row.ncpus),
      usedMemory: eb('usedMemory', '-', row.memory),
    }))
    .where('id', '=', row.sledId)
    .execute()
  await charge({ tx, now }, row, { cpus: -row.ncpus, memory: -row.memory })
}

async function chooseSled(world: Placing, tx: Tx, row: InstanceRow): Promise<string> {
  const [rules, sleds] = await together([neighbours(tx, row.id), candidates(tx, row)])
  const fitting = sleds.map((sled) => sled.id)
  if (rules.required.size > 1) throw fault.invalid(failed(rules.whySplit()))
  const [required] = rules.required
  if (required !== undefined) {
    if (rules.banned.has(required)) throw fault.invalid(failed(rules.whyContradictory(required)))
    if (!fitting.includes(required))
      throw fault.noCapacity(failed(`${rules.whyRequired()} ${await whyNotThere(tx, row, required)}`))
    return required
  }
  const allowed = fitting.filter((id) => !rules.banned.has(id))
  const rank = (id: string) => Number(rules.avoided.has(id)) - Number(rules.preferred.has(id))
  const best = Math.min(...allowed.map(rank))
  const equals = allowed.filter((id) => rank(id) === best)
  const [dice = 0] = world.ids.bytes(1)
  const chosen = equals[dice % equals.length]
  if (chosen !== undefined) return chosen
  const why = fitting.length > 0 ? rules.whyBanned(fitting) : await whyNoneFits(tx, row)
  throw fault.noCapacity(
    failed(
      `Could not find any valid sled on which this instance can be placed. ${why}, or start it again later.`,
    ),
  )
}

/** Why no sled has capacity, and what the owner can do. */
async function whyNoneFits(tx: Tx, row: InstanceRow): Promise<string> {
  const { cpuPlatform } = row
  const [taking] = await ofPlatform(tx, null).limit(1).execute()
  if (!taking) return 'No sled accepts instances now. Ask an operator to open one'
  const [running] = await ofPlatform(tx, cpuPlatform).limit(1).execute()
  if (!running && cpuPlatform)
    return `No sled that takes instances can run the CPU platform ${cpuPlatform}. Ask for another platform`
  return `No sled has ${roomFor(row)} free. Make the instance smaller`
}

/** Why an instance cannot go to the one sled that its groups require. */
async function whyNotThere(tx: Tx, row: InstanceRow, sledId: string): Promise<string> {
  const { provisionPolicy, cpuFamily, missingSince, policy } = await tx
    .selectFrom('sled')
    .select(['provisionPolicy', 'cpuFamily', 'missingSince', 'policy'])
    .where('id', '=', sledId)
    .executeTakeFirstOrThrow()
  const { cpuPlatform } = row
  const orLater = 'Take the instance out of the group, or start it again later.'
  if (missingSince !== null) return `That sled does not answer. ${orLater}`
  if (provisionPolicy !== 'provisionable' || policy === 'expunged')
    return `That sled accepts no more instances. ${orLater}`
  if (cpuPlatform && !families[cpuPlatform].includes(cpuFamily))
    return `That sled cannot run the CPU platform ${cpuPlatform}. Take the instance out of the group, or ask for another platform.`
  return `That sled has less than ${roomFor(row)} free. ${orLater}`
}

const roomFor = ({ ncpus, memory }: InstanceRow) =>
  `${ncpus === 1 ? '1 vCPU' : `${ncpus} vCPUs`} and ${formatBytes(memory)} of memory`

const candidates = (tx: Tx, row: InstanceRow): Promise<{ id: string }[]> =>
  ofPlatform(tx, row.cpuPlatform)
    .where((eb) => eb(eb('usableHardwareThreads', '-', eb.ref('usedThreads')), '>=', row.ncpus))
    .where((eb) => eb(eb('reservoirSize', '-', eb.ref('usedMemory')), '>=', row.memory))
    .orderBy('id')
    .execute()

/** The provisionable sleds that answer and can run a guest of this platform. */
function ofPlatform(tx: Tx, platform: InstanceRow['cpuPlatform']) {
  const query = tx
    .selectFrom('sled')
    .select('id')
    .where('provisionPolicy', '=', 'provisionable')
    .where('missingSince', 'is', null)
    .where((eb) => eb.or([eb('policy', 'is', null), eb('policy', '=', 'in_service')]))
  return platform ? query.where('cpuFamily', 'in', families[platform]) : query
}

/** The sleds that the instance's groups require, prefer, avoid or ban. Only members with a reservation count. */
async function neighbours(tx: Tx, instanceId: string) {
  const rows = await tx
    .selectFrom('affinityMember as mine')
    .innerJoin('affinityGroup', 'affinityGroup.id', 'mine.groupId')
    .innerJoin('affinityMember as theirs', 'theirs.groupId', 'mine.groupId')
    .innerJoin('instance', 'instance.id', 'theirs.instanceId')
    .select(['affinityGroup.kind', 'affinityGroup.policy', 'affinityGroup.name', 'instance.sledId'])
    .where('mine.instanceId', '=', instanceId)
    .where('theirs.instanceId', '!=', instanceId)
    .where('instance.sledId', 'is not', null)
    .execute()
  const saying = (kind: string, policy: string) =>
    rows.filter((one) => one.kind === kind && one.policy === policy)
  const sleds = (kind: string, policy: string) => new Set(saying(kind, policy).map((one) => one.sledId ?? ''))
  const groups = (kind: string, on: (sledId: string) => boolean) => {
    const strict = saying(kind, 'fail').filter((one) => on(one.sledId ?? ''))
    return [...new Set(strict.map(({ name }) => `"${name}"`))].toSorted().join(', ')
  }
  const any = () => true
  return {
    /** Why none of these sleds can be used although all have capacity. */
    whyBanned: (fitting: readonly string[]) =>
      `Every sled with enough capacity has another member of an anti-affinity group whose policy is fail: ${groups('anti_affinity', (id) => fitting.includes(id))}. ` +
      'Take the instance out of the group',
    /** Why only one sled can be used. */
    whyRequired: () =>
      `All members of an affinity group whose policy is fail must be on one sled: ${groups('affinity', any)}.`,
    /** Why no sled can be used: the groups require several. */
    whySplit: () =>
      `The members of its affinity groups whose policy is fail are on more than one sled: ${groups('affinity', any)}. Take the instance out of one of them.`,
    /** Why the required sled cannot be used. */
    whyContradictory: (required: string) =>
      `The affinity group ${groups('affinity', any)} requires a sled that the anti-affinity group ${groups('anti_affinity', (id) => id === required)} forbids. Take the instance out of one of them.`,
    required: sleds('affinity', 'fail'),
    preferred: sleds('affinity', 'allow'),
    banned: sleds('anti_affinity', 'fail'),
    avoided: sleds('anti_affinity', 'allow'),
  }
}
