import type { instanceExternalIpList } from '@purlin/contract/operations/addresses/external-ips'
import type { Result } from '@purlin/contract/op'
import { instanceCan, type InstanceState } from '@purlin/contract/rules/states'
import { limits } from '@purlin/contract/rules/limits'

/** An address by which an instance reaches the outside or is reached from there. */
export type ExternalIp = Result<typeof instanceExternalIpList>['items'][number]

/** By kind, whatever the server's order: those that stay with the project first, SNAT last. */
export const inOrder = (ips: readonly ExternalIp[]): ExternalIp[] =>
  (['floating', 'ephemeral', 'snat'] as const).flatMap((kind) => ips.filter((one) => one.kind === kind))

/** Addresses at which an instance can be reached, those that stay with the project first. SNAT only leads out. */
export const reachableIps = (ips: readonly ExternalIp[]): string[] =>
  inOrder(ips)
    .filter(({ kind }) => kind !== 'snat')
    .map(({ ip }) => ip)

/** Why an instance with this many external IPs, except SNAT, gets no further one. */
export const externalIpLimit = (count: number): string | undefined =>
  count >= limits.instance.externalIps
    ? `An instance supports a maximum of ${limits.instance.externalIps} external IPs, ephemeral and floating together`
    : undefined

/** Why no address can be given or taken in this state. */
export const ipChangeDisabledReason = (state: InstanceState): string | undefined =>
  instanceCan('changeExternalIps', state)
    ? undefined
    : `External IPs cannot be changed while the instance is ${state}`

export const withoutNic = 'Instance has no network interfaces'
