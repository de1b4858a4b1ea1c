import type { Scope } from '#/lib/addresses.ts'
import { changeableOf } from '@purlin/contract/rules/network/routes'
import { LossesOf, lossesOf } from '#/features/network-losses/losses.tsx'
import { plainActions } from '#/resource/actions/actions.tsx'
import { kinds } from '#/resource/kinds.ts'
import type { Route } from './queries.ts'

/** Why a route that the control plane keeps itself cannot be changed. */
export function unchangeableReason(kind: Route['kind']): string | undefined {
  if (changeableOf[kind] !== 'nothing') return undefined
  const type = kind === 'vpc_peering' ? 'VPC Peering' : 'VPC Subnet'
  return `Routes of type ${type} within the system router are not modifiable`
}

/** Actions on a route of a router. */
export const routeActions = (scope: Scope) =>
  plainActions(kinds.vpcRouterRoute, scope, {
    editDisabledReason: ({ kind }) => unchangeableReason(kind),
    disabledReason: ({ kind }) => kind !== 'custom' && 'System routes cannot be deleted',
    note: async ([row]) =>
      row && <LossesOf losses={await lossesOf(scope, { type: 'delete_route', id: row.id })} />,
  })
