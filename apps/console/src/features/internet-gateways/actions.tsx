import { internetGatewayDelete } from '@purlin/contract/operations/vpcs/internet-gateways'
import { countOf } from '@purlin/contract/rules/kinds'
import { requestTo } from '#/api/request.ts'
import { LossesOf, lossesOf } from '#/features/network-losses/losses.tsx'
import type { Scope } from '#/lib/addresses.ts'
import { copyId, type Action } from '#/resource/actions/actions.tsx'
import { askOne } from '#/resource/actions/askOne.tsx'
import { deletion } from '#/resource/actions/confirmation.tsx'
import { roleFor } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { usesOf, type Gateway } from './queries.ts'

/** Actions on an internet gateway. */
export const gatewayActions = (scope: Scope): Action<Gateway>[] => [
  copyId(kinds.internetGateway.noun),
  {
    id: 'delete',
    label: 'Delete',
    role: roleFor(internetGatewayDelete),
    isDanger: true,
    command: null,
    onAction: (gateway) => askToDelete(gateway, scope),
  },
]

/** Asks with all that is deleted besides; only what was named there is deleted with the gateway. */
async function askToDelete(gateway: Gateway, scope: Scope): Promise<void> {
  const { project = '', vpc = '' } = scope
  const [uses, losses] = await Promise.all([
    usesOf({ project, vpc }, gateway).catch(() => undefined),
    lossesOf(scope, { type: 'delete_gateway', id: gateway.id }),
  ])
  const also = uses
    ? [
        [uses.pools.length, 'attached IP pool'] as const,
        [uses.addresses.length, 'attached IP address'] as const,
        [uses.routes.length, 'route'] as const,
      ].filter(([count]) => count > 0)
    : []
  const cascade = also.length > 0
  await askOne(
    deletion(kinds.internetGateway, {
      note: () => (
        <>
          {cascade && (
            <p>
              This is deleted or detached with it:{' '}
              {also.map(([count, noun]) => countOf(count, noun)).join(', ')}.
            </p>
          )}
          <LossesOf losses={losses} />
        </>
      ),
      request: ({ id }) => requestTo(internetGatewayDelete, { params: { gateway: id }, query: { cascade } }),
    }),
    gateway,
  )
}
