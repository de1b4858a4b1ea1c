/** IP pools as the users of a silo see them: those linked to it, and no others. */
import type { Family } from '#/context.ts'
import { mapPage, pageByName } from '#/db/pages.ts'
import { permit, resolve } from '#/auth/resolve.ts'
import { visible } from '#/auth/visible.ts'
import { identityView } from './rows.ts'
import type { Listed } from '#/db/listed.ts'

const view = (row: Listed<'ipPool'> & { isDefault: number }) => ({
  ...identityView(row),
  isDefault: row.isDefault === 1,
})

export const ipPools: Family<'projectIpPoolList' | 'projectIpPoolView'> = {
  async projectIpPoolList(ctx, { query }) {
    permit(ctx)
    return mapPage(
      await pageByName(ctx, query, {
        rows: visible.ipPool(ctx).clearSelect().select('ipPoolSilo.isDefault'),
        table: 'ipPool',
      }),
      view,
    )
  },

  async projectIpPoolView(ctx, { params }) {
    return view(await resolve(ctx, 'ipPool', params))
  },
}
