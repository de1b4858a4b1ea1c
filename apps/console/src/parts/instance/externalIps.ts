import type { instanceExternalIpList } from '@purlin/contract/operations/instances'
import type { Result } from '@purlin/contract/op'

type ExternalIp = Result<typeof instanceExternalIpList>['items'][number]

/** Addresses at which an instance can be reached, those that stay with the project first. SNAT only leads out. */
export const reachableIps = (ips: readonly ExternalIp[]): string[] =>
  (['floating', 'ephemeral'] as const).flatMap((kind) =>
    ips.filter((one) => one.kind === kind).map(({ ip }) => ip),
  )
