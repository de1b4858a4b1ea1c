/** The words of the network, and the rules of its forms. */
import type { LotKind } from '@purlin/contract/rules/networking'
import { parseIp } from '@purlin/contract/rules/network/ip'
import { validateIpWithoutZone } from '#/lib/input/ip.ts'

/** The addresses of each kind of lot. */
export const lotKindWords: Record<LotKind, { label: string; description: string }> = {
  infra: {
    label: 'Infrastructure',
    description: 'Addresses of the switches themselves; no pool can have them',
  },
  pool: { label: 'Pool', description: 'Addresses of IP pools, which the switches announce' },
}

export interface Bounds {
  firstAddress: string
  lastAddress: string
}
export const noBounds: Bounds = { firstAddress: '', lastAddress: '' }
export const trimmed = ({ firstAddress, lastAddress }: Bounds): Bounds => ({
  firstAddress: firstAddress.trim(),
  lastAddress: lastAddress.trim(),
})

/** The problem with a last address, by itself or after the first. */
export function lastProblem({ firstAddress, lastAddress }: Bounds): string | undefined {
  const problem = validateIpWithoutZone(lastAddress)
  const [first, last] = [parseIp(firstAddress.trim()), parseIp(lastAddress.trim())]
  if (problem !== undefined || !first || !last) return problem
  if (first.family !== last.family) return 'Both addresses must be IPv4, or both IPv6'
  return last.value < first.value ? 'The last address must not be lower than the first' : undefined
}

/** How many addresses a block has. */
export function sizeOf(block: Bounds): bigint | undefined {
  const [first, last] = [parseIp(block.firstAddress), parseIp(block.lastAddress)]
  return first && last ? last.value - first.value + 1n : undefined
}

/** The interval at which screens read what the switches say, in ms. */
export const liveMs = 5000
