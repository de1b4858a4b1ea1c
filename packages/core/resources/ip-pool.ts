/** IP pools as the users of a silo see them: those linked to it, and no others. */
import type { Family } from '../context.ts'
import { mapPage, pageByName } from '../pages.ts'
import { permit } from '../resolve.ts'
import { headView } from '../rows.ts'
import { linkedPools, resolvePool, type LinkedPool } from './pool-addresses.ts'

const view = (row: LinkedPool) => ({ ...headView(row), isDefault: row.isDefault === 1 })

export const ipPools: Family<'projectIpPoolList' | 'projectIpPoolView'> = {
  async projectIpPoolList(ctx, { query }) {
    permit(ctx)
    return mapPage(await pageByName(ctx, query, { rows: linkedPools(ctx), table: 'ipPool' }), view)
  },

  async projectIpPoolView(ctx, { params }) {
    permit(ctx)
    return view(await resolvePool(ctx, params.pool))
  },
}
