/** Floating IPs: external addresses that a project keeps, whatever instance they serve. */
import { formatIp, fromKey } from '@purlin/contract/rules/ip'
import type { Family } from '../context.ts'
import type { ExternalIpTable } from '../db/tables.ts'
import { mapPage, pageByName } from '../pages.ts'
import { resolve } from '../resolve.ts'
import { headView } from '../rows.ts'

/** A floating IP as clients see it. */
export const floatingIpView = (row: ExternalIpTable) => ({
  ...headView(row),
  ip: formatIp(fromKey(row.ipKey)),
  ipPoolId: row.ipPoolId,
  projectId: row.projectId,
  instanceId: row.instanceId,
})

export const floatingIps: Family<'floatingIpList' | 'floatingIpView'> = {
  async floatingIpList(ctx, { query }) {
    const project = await resolve(ctx, 'project', { project: query.project })
    const rows = ctx.tx
      .selectFrom('externalIp')
      .selectAll()
      .where('projectId', '=', project.id)
      .where('kind', '=', 'floating')
    return mapPage(await pageByName(ctx, query, rows), floatingIpView)
  },

  async floatingIpView(ctx, { params, query }) {
    return floatingIpView(await resolve(ctx, 'floatingIp', { ...params, ...query }))
  },
}
