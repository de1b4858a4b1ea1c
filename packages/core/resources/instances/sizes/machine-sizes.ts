/** The sizes that forms offer for instances. They are only suggestions: an instance stores vCPUs and memory. */
import { limits } from '@purlin/contract/rules/limits'
import { permit } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import type { MachineSizeTable, SiloMachineSizeTable, Tx } from '#/db/tables.ts'
import { plain } from '#/resources/kind/plain.ts'
import { checkRoom } from '#/resources/kind/room.ts'
import {
  identityChanges,
  identityView,
  insertNamed,
  newIdentity,
  updateNamed,
} from '#/resources/kind/rows.ts'
import { checkSizes } from './sizes.ts'

const view = (row: MachineSizeTable) => ({ ...identityView(row), ncpus: row.ncpus, memory: row.memory })

/** The columns of a new size. Throws 400 for a size that no instance can have. */
function columnsOf(ctx: Ctx, body: BodyOf<'machineSizeCreate'>): MachineSizeTable {
  checkSizes(body)
  return { ...newIdentity(ctx, body), ncpus: body.ncpus, memory: body.memory }
}
/** The columns that an update changes. Throws 400 for a size that no instance can have. */
function changesOf(ctx: Ctx, row: MachineSizeTable, body: BodyOf<'machineSizeUpdate'>) {
  const size = { ncpus: body.ncpus ?? row.ncpus, memory: body.memory ?? row.memory }
  checkSizes(size)
  return { ...identityChanges(ctx, body), ...size }
}

const ofFleet = plain('machineSize', {
  view,
  create: async (ctx, _, body) => {
    const { count } = await ctx.tx
      .selectFrom('machineSize')
      .select((eb) => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    checkRoom(Number(count), { noun: 'machine size', holder: 'fleet', most: limits.machineSizes })
    return insertNamed(ctx, 'machineSize', columnsOf(ctx, body))
  },
  update: (ctx, row, body) => updateNamed(ctx, ['machineSize', row], changesOf(ctx, row, body)),
})
const ofSilo = plain('siloMachineSize', {
  view,
  create: (ctx, { id: siloId }, body) =>
    insertNamed(ctx, 'siloMachineSize', { ...columnsOf(ctx, body), siloId }),
  update: (ctx, row: SiloMachineSizeTable, body) =>
    updateNamed(ctx, ['siloMachineSize', row], changesOf(ctx, row, body)),
})

const offered: Family<'offeredMachineSizeList'> = {
  async offeredMachineSizeList(ctx, { query }) {
    permit(ctx)
    const { tx, actor } = ctx
    const own = tx.selectFrom('siloMachineSize').where('siloId', '=', actor.siloId)
    const asked = { ...query, sortBy: query.sortBy ?? 'cpus_ascending' }
    const page = (await own.select('id').limit(1).executeTakeFirst())
      ? await pageByName(ctx, asked, { rows: own, table: 'siloMachineSize', holder: actor.siloId })
      : await pageByName(ctx, asked, {
          rows: tx.selectFrom('machineSize'),
          table: 'machineSize',
          holder: '',
        })
    return mapPage(page, view)
  },
}

export const machineSizes = { ...ofFleet.handlers, ...ofSilo.handlers, ...offered }

/** The sizes of the fleet, the smallest first. */
export const sizesOfFleet = (tx: Tx): Promise<Pick<MachineSizeTable, 'name' | 'ncpus' | 'memory'>[]> =>
  tx
    .selectFrom('machineSize')
    .select(['name', 'ncpus', 'memory'])
    .orderBy('ncpus')
    .orderBy('memory')
    .orderBy('name')
    .limit(limits.machineSizes)
    .execute()
