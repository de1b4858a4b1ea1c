/** The gateways that a network names. */
import type { SledNetwork } from '@purlin/core/ports'

/** The ids of the gateways that routes lead to or that an address may leave by, each once. */
export function gatewaysOf({ routeSets, interfaces }: SledNetwork): string[] {
  const ofRoutes = routeSets.flat().flatMap(({ target }) => (target.type === 'gateway' ? [target.id] : []))
  const ofNat = interfaces.flatMap(({ nat }) => nat.outbound.map(({ gatewayId }) => gatewayId))
  return [...new Set([...ofRoutes, ...ofNat])].toSorted()
}
