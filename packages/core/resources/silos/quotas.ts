/** The usage of projects and silos, and the silo's quota that limits it. */
import { keysOf } from '@purlin/contract/rules/keys'
import { formatBytes, GiB } from '@purlin/contract/rules/limits'
import { together } from '#/concurrency/together.ts'
import type { Ctx } from '#/context.ts'
import type { UsageTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import { beginUse, endUse, noUse, type User } from '#/db/rows/usage-periods.ts'
import { sampleUsage } from '#/timeseries/usage-samples.ts'

/** Amounts to add; negative ones are released. Memory and storage in bytes. */
export interface Amounts {
  cpus?: number
  memory?: number
  storage?: number
}
/** The amounts that a quota allows. */
export type QuotaAmounts = Record<keyof Amounts, number | bigint>
/** The resource that is charged, in the scopes whose usage changes. */
export type Charged = User

const stop = 'Stop instances that are not needed'
const remove = 'Delete disks and snapshots that are not needed'
const described = {
  cpus: { noun: 'vCPU', advice: stop, show: String },
  memory: { noun: 'Memory', advice: stop, show: formatBytes },
  storage: { noun: 'Storage', advice: remove, show: formatBytes },
} as const
// In the order in which they are checked.
const resources = keysOf(described)

/** The transaction that charges; its unit of work if it is that of a request. */
type Charging = Pick<Ctx, 'tx' | 'now'> & Partial<Pick<Ctx, 'unit'>>

/**
 * Adds to the usage of a project, its silo and the fleet, to its history and to the periods of the resource. The caller makes sure that
 * each object is charged and released once. `before` is what the resource is charged already: what is released, unless given. Only increases are checked against the quota: a lowered quota
 * never prevents a release. Throws 507.
 */
export async function charge(
  ctx: Charging,
  of: Charged,
  { before, ...amounts }: Amounts & { before?: Amounts },
): Promise<void> {
  if (ctx.unit?.mayCharge === false)
    throw new Error('the operation charges, but serialize-charges.ts does not say so')
  const { cpus = 0, memory = 0, storage = 0 } = amounts
  const ids = [of.projectId, of.siloId, fleetId]
  await ctx.tx
    .insertInto('usage')
    .values(ids.map((id) => ({ id, cpus, memory, storage })))
    // The fleet has a row since the first charge, projects and silos since they were made.
    .onConflict((on) =>
      on.column('id').doUpdateSet((eb) => ({
        cpus: eb('usage.cpus', '+', eb.ref('excluded.cpus')),
        memory: eb('usage.memory', '+', eb.ref('excluded.memory')),
        storage: eb('usage.storage', '+', eb.ref('excluded.storage')),
      })),
    )
    .execute()
  const changed = { cpus, memory, storage }
  const change = { changed, before: before ?? released(changed) }
  await together([
    sampleUsage(ctx, ids, changed),
    recordUse(ctx, of, change),
    checkQuota(ctx, of.siloId, changed),
  ])
}

const released = ({ cpus, memory, storage }: Required<Amounts>): Amounts => ({
  cpus: Math.max(0, -cpus),
  memory: Math.max(0, -memory),
  storage: Math.max(0, -storage),
})

interface Change {
  changed: Required<Amounts>
  before: Amounts
}

/** Ends the period of what a resource used before, and begins that of what it uses now. */
async function recordUse({ tx, now }: Charging, of: Charged, { changed, before }: Change): Promise<void> {
  const { cpus = 0, memory = 0, storage = 0 } = before
  const use = {
    ...noUse,
    cpus: cpus + changed.cpus,
    memoryGib: (memory + changed.memory) / GiB,
    storageGib: (storage + changed.storage) / GiB,
  }
  if (cpus + memory + storage > 0) await endUse(tx, of, now)
  if (use.cpus + use.memoryGib + use.storageGib > 0) await beginUse(tx, of, { use, now })
}

async function checkQuota(ctx: Pick<Ctx, 'tx'>, siloId: string, amounts: Required<Amounts>): Promise<void> {
  if (resources.every((key) => amounts[key] <= 0)) return
  const { used, quota } = await readUtilization(ctx, siloId)
  for (const key of resources)
    refuseBeyond(key, { used: used[key] - amounts[key], quota: quota[key], wanted: amounts[key] })
}

/**
 * Throws 507 if storage is not left for all of several objects, before the first of them is charged: the refusal of one alone
 * would name its size, and not what is needed.
 */
export async function requireStorage(
  ctx: Pick<Ctx, 'tx'>,
  siloId: string,
  objects: readonly { name: string; size: number }[],
): Promise<void> {
  const { used, quota } = await readUtilization(ctx, siloId)
  const wanted = objects.reduce((sum, { size }) => sum + size, 0)
  const inOrder = objects.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const each = inOrder.map(({ name, size }) => `"${name}" ${formatBytes(size)}`).join(', ')
  refuseBeyond('storage', { used: used.storage, quota: quota.storage, wanted, each })
}

/** Throws 507 if what is wanted in addition to what is used is more than the quota. */
function refuseBeyond(
  resource: keyof Amounts,
  { used, quota, wanted, each }: { used: number; quota: number | bigint; wanted: number; each?: string },
): void {
  if (wanted <= 0 || used + wanted <= quota) return
  // It is below what would be used, which a number represents.
  const limit = Number(quota)
  const left = Math.max(0, limit - used)
  const { noun, advice, show } = described[resource]
  const parts = each === undefined ? '' : ` (${each})`
  throw fault.limitExceeded(
    noun,
    `${show(wanted)} wanted${parts}, ${show(left)} left of ${show(limit)}. ` +
      `${advice}, or ask the operator of the rack for a larger quota.`,
    { resource, limit, used, asked: wanted },
  )
}

/** The usage of a project. */
export async function readUse({ tx }: Pick<Ctx, 'tx'>, projectId: string): Promise<Required<Amounts>> {
  const row = await tx
    .selectFrom('usage')
    .select(['cpus', 'memory', 'storage'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return usedOf(row)
}

/**
 * The amounts in use. Above 2^53 bytes they are still exact, because disks and memory are multiples of 1 GiB.
 */
export const usedOf = ({ cpus, memory, storage }: Omit<UsageTable, 'id'>): Required<Amounts> => ({
  cpus: Number(cpus),
  memory: Number(memory),
  storage: Number(storage),
})

/** The usage of a silo, and its quota. */
export async function readUtilization(
  ctx: Pick<Ctx, 'tx'>,
  siloId: string,
): Promise<{ used: Required<Amounts>; quota: QuotaAmounts }> {
  const row = await ctx.tx
    .selectFrom('silo')
    .innerJoin('usage', 'usage.id', 'silo.id')
    .select(['quotaCpus', 'quotaMemory', 'quotaStorage', 'usage.cpus', 'usage.memory', 'usage.storage'])
    .where('silo.id', '=', siloId)
    .executeTakeFirstOrThrow()
  return {
    used: usedOf(row),
    quota: { cpus: row.quotaCpus, memory: row.quotaMemory, storage: row.quotaStorage },
  }
}
