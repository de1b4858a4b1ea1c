/** How the control plane is reached: the source addresses that it accepts, and whether it answers pings. */
import { limits } from '@purlin/contract/rules/limits'
import { clientAddress, contains, parseNet } from '@purlin/contract/rules/network/ip'
import { permit } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { edgeIn, networksOf, storedNetworks } from '#/db/rows/edge.ts'
import type { EdgeTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { setting } from '../kind/setting.ts'

const view = (row: Pick<EdgeTable, 'allowedIps' | 'timeAllowListCreated' | 'timeAllowListModified'>) => {
  const ips = networksOf(row)
  return {
    allowedIps: ips ? { allow: 'list' as const, ips } : { allow: 'any' as const },
    timeCreated: new Date(row.timeAllowListCreated),
    timeModified: new Date(row.timeAllowListModified),
  }
}

const allowList = setting('networkingAllowList', {
  of: (ctx) => {
    permit(ctx)
    return edgeIn(ctx.tx)
  },
  view: (_, row) => view(row),
  async update(ctx, row, body) {
    const allowedIps = checked(ctx, body)
    const changes = { allowedIps, timeAllowListModified: ctx.now }
    await ctx.tx.updateTable('edge').set(changes).where('id', '=', row.id).execute()
    ctx.wake('allowList')
    return view({ ...row, ...changes })
  },
})

/** Throws 400 for a list that is not accepted. */
function checked({ source }: Ctx, { allowedIps }: BodyOf<'networkingAllowListUpdate'>): string | null {
  if (allowedIps.allow === 'any') return null
  const { ips } = allowedIps
  if (ips.length > limits.allowList)
    throw fault.invalid(`Source IP allowlist is limited to ${limits.allowList} entries, found ${ips.length}`)
  const networks = ips.map((text) => {
    const net = parseNet(text)
    if (!net) throw fault.invalid(`invalid network in the source IP allow list: ${text}`)
    if (net.base.value === 0n)
      throw fault.invalid('Source IP allowlist may not contain the unspecified address')
    if (net.width === 0) throw fault.invalid('Source IP allowlist entries must not have a prefix length of 0')
    return net
  })
  // Without connections, as in the preview, no client can be locked out.
  if (source === undefined) return storedNetworks(ips)
  const client = clientAddress(source)
  if (!client || !networks.some((net) => contains(net, client)))
    throw fault.invalid(
      `The source IP allow list would prevent access from the current client! Ensure that the allow list ` +
        `contains an entry that continues to allow access from this peer${client ? `, ${source}` : ''}.`,
    )
  return storedNetworks(ips)
}

type Icmp = `networkingInboundIcmp${'View' | 'Update'}`
export const edge: Family<keyof typeof allowList | Icmp> = {
  ...allowList,

  async networkingInboundIcmpView(ctx) {
    permit(ctx)
    return { enabled: (await edgeIn(ctx.tx)).answersPings === 1 }
  },

  async networkingInboundIcmpUpdate(ctx, { body }) {
    permit(ctx)
    const answersPings = body.enabled ? 1 : 0
    await ctx.tx.updateTable('edge').set({ answersPings }).execute()
  },
}
