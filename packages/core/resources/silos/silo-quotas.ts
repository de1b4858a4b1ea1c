/** The quotas of silos and their use, as operators see and set them. */
import { noteFields } from '#/audit/touched.ts'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { mapPage, pageById, pageByName, type Page } from '#/db/lists/pages.ts'
import type { SiloTable, Tx, UsageTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { setting } from '../kind/setting.ts'
import { readUtilization, usedOf, type QuotaAmounts } from './quotas.ts'
import { roomLeft } from './silo-room.ts'
import { quotaTrends } from './usage-trends.ts'

const columns = ['quotaCpus', 'quotaMemory', 'quotaStorage'] as const
type Quota = Pick<SiloTable, (typeof columns)[number]>

const amountsOf = ({ quotaCpus, quotaMemory, quotaStorage }: Quota) => ({
  cpus: quotaCpus,
  memory: quotaMemory,
  storage: quotaStorage,
})
const quotasView = (row: Quota & { id: string }) => ({ siloId: row.id, ...amountsOf(row) })
const utilizationOf = (row: Quota & Omit<UsageTable, 'id'> & { id: string; name: string }) => ({
  siloId: row.id,
  siloName: row.name,
  provisioned: usedOf(row),
  allocated: amountsOf(row),
})

/** The columns of a quota. Throws 400 for one that is negative. */
export function quotaColumns(verb: 'create' | 'update', { cpus, memory, storage }: QuotaAmounts): Quota {
  const named = [
    ['CPU', cpus],
    ['Memory', memory],
    ['Storage', storage],
  ] as const
  const wrong = named.find(([, amount]) => amount < 0)
  if (wrong) throw fault.invalid(`Cannot ${verb} silo quota: ${wrong[0]} quota must not be negative`)
  return { quotaCpus: cpus, quotaMemory: memory, quotaStorage: storage }
}

/** The silos of a page with what each uses of its quotas. */
export async function withUtilization<V extends { id: string }>({ tx }: Pick<Ctx, 'tx'>, page: Page<V>) {
  const ids = page.items.map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await usesOf(tx).where('silo.id', 'in', ids).execute()
  const uses = new Map(rows.map((row) => [row.id, utilizationOf(row)]))
  const of = (id: string) => {
    const use = uses.get(id)
    return use && { utilization: { provisioned: use.provisioned, allocated: use.allocated } }
  }
  return { ...page, items: page.items.map((one) => ({ ...one, ...of(one.id) })) }
}

const usesOf = (tx: Tx) =>
  tx
    .selectFrom('silo')
    .innerJoin('usage', 'usage.id', 'silo.id')
    .select(['silo.id', 'silo.name', ...columns, 'usage.cpus', 'usage.memory', 'usage.storage'])

const quotas = setting('siloQuotas', {
  of: (ctx, { params }) => resolveInFleet(ctx, 'silo', params.silo),
  view: (_, silo) => quotasView(silo),
  async update(ctx, silo, body) {
    const before = amountsOf(silo)
    const quota = quotaColumns('update', {
      cpus: body.cpus ?? before.cpus,
      memory: body.memory ?? before.memory,
      storage: body.storage ?? before.storage,
    })
    await ctx.tx
      .updateTable('silo')
      .set({ ...quota, timeModified: ctx.now })
      .where('id', '=', silo.id)
      .execute()
    await noteFields(ctx, ['silo', silo], { ...silo, ...quota })
    return quotasView({ id: silo.id, ...quota })
  },
})

type Others = 'systemQuotasList' | 'siloUtilizationList' | 'siloUtilizationView'
export const siloQuotas: Family<Others | keyof typeof quotas> = {
  ...quotas,

  async systemQuotasList(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx.selectFrom('silo').select(columns)
    return mapPage(await pageById(ctx, query, { rows, table: 'silo' }), quotasView)
  },

  /** Silos that are neither discoverable nor may use anything are left out. */
  async siloUtilizationList(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx
      .selectFrom('silo')
      .innerJoin('usage', 'usage.id', 'silo.id')
      .select([...columns, 'usage.cpus', 'usage.memory', 'usage.storage'])
      .where((eb) => eb.or([eb('discoverable', '=', 1), ...columns.map((column) => eb(column, '>', 0))]))
    return mapPage(await pageByName(ctx, query, { rows, table: 'silo' }), utilizationOf)
  },

  async siloUtilizationView(ctx, { params, query }) {
    const { id, name } = await resolveInFleet(ctx, 'silo', params.silo)
    const { used, quota } = await readUtilization(ctx, id)
    const { room } = await roomLeft(ctx, { used, quota })
    return {
      siloId: id,
      siloName: name,
      provisioned: used,
      allocated: quota,
      ...room,
      ...(query.trends ? { trends: await quotaTrends(ctx, { id, used, quota }) } : {}),
    }
  },
}
