/** How the control plane is reached: the source addresses that it accepts, and whether it answers pings. */
import { limits } from '@purlin/contract/rules/limits'
import { clientAddress, contains, formatNet, parseNet } from '@purlin/contract/rules/network/ip'
import { permit } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { edgeIn, networksOf, storedNetworks, storeList } from '#/db/rows/edge.ts'
import { beforeChange, confirmChange, rollBackChange, unconfirmedIn } from './unconfirmed.ts'
import type { Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'

async function view(tx: Tx) {
  const row = await edgeIn(tx)
  const waiting = await unconfirmedIn(tx, 'allowList')
  const ips = networksOf(row)
  return {
    allowedIps: ips ? { allow: 'list' as const, ips } : { allow: 'any' as const },
    timeCreated: new Date(row.timeAllowListCreated),
    timeModified: new Date(row.timeAllowListModified),
    timeRollBack: waiting ? new Date(waiting.timeRollBack) : null,
  }
}

const everything = ['0.0.0.0/0', '::/0']
const canonical = (allowedIps: string | null): Set<string> =>
  new Set(
    (networksOf({ allowedIps }) ?? everything).map((text) => {
      const net = parseNet(text)
      return net ? formatNet(net) : text
    }),
  )

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

/** Stores the list that counted before a change. */
export function restoreAllowList(tx: Tx, formerJson: string, now: number): Promise<unknown> {
  const former: string | null = JSON.parse(formerJson)
  return storeList(tx, former, now)
}

type AllowList = `networkingAllowList${'View' | 'Update' | 'Confirm' | 'RollBack' | 'Preview'}`
type Icmp = `networkingInboundIcmp${'View' | 'Update'}`
export const edge: Family<AllowList | Icmp> = {
  async networkingAllowListView(ctx) {
    permit(ctx)
    return view(ctx.tx)
  },

  async networkingAllowListUpdate(ctx, { body, query: { confirmWithin } }) {
    permit(ctx)
    const allowedIps = checked(ctx, body)
    const former = async () => (await edgeIn(ctx.tx)).allowedIps
    await beforeChange(ctx, 'allowList', { confirmWithin, former })
    await storeList(ctx.tx, allowedIps, ctx.now)
    ctx.wake('allowList')
    return view(ctx.tx)
  },

  async networkingAllowListConfirm(ctx) {
    permit(ctx)
    await confirmChange(ctx, 'allowList')
  },

  async networkingAllowListRollBack(ctx) {
    permit(ctx)
    await rollBackChange(ctx, 'allowList', restoreAllowList)
    ctx.wake('allowList')
  },

  async networkingAllowListPreview(ctx, { body }) {
    permit(ctx)
    const after = canonical(checked(ctx, body))
    const before = canonical((await edgeIn(ctx.tx)).allowedIps)
    return {
      added: [...after].filter((one) => !before.has(one)),
      removed: [...before].filter((one) => !after.has(one)),
    }
  },

  async networkingInboundIcmpView(ctx) {
    permit(ctx)
    return { enabled: (await edgeIn(ctx.tx)).answersPings === 1 }
  },

  async networkingInboundIcmpUpdate(ctx, { body }) {
    permit(ctx)
    const answersPings = body.enabled ? 1 : 0
    await ctx.tx.updateTable('edge').set({ answersPings }).execute()
    ctx.wake('switches')
  },
}
