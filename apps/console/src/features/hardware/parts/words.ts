/** Values of hardware in words. */
import type { CpuFamily, NetworkMode } from '@purlin/contract/rules/hardware'
import { twoDecimals } from '#/lib/format.ts'

const speedUnits = [
  ['Tbit/s', 1e12],
  ['Gbit/s', 1e9],
  ['Mbit/s', 1e6],
] as const

/** '100 Gbit/s' of bits per second. */
export function speedText(bitsPerSecond: number): string {
  const [unit, size] = speedUnits.find(([, least]) => bitsPerSecond >= least) ?? (['bit/s', 1] as const)
  return `${twoDecimals(bitsPerSecond / size)} ${unit}`
}

export const celsiusText = (value: number): string => `${twoDecimals(value)} °C`

/** 'Cubby 3' of places in a rack, which are counted from 0 at its bottom. */
export const cubbyText = (cubby: number): string => `Cubby ${cubby}`

export const familyWords: Record<CpuFamily, string> = {
  amd_milan: 'AMD Milan',
  amd_turin: 'AMD Turin',
  amd_turin_dense: 'AMD Turin Dense',
  other: 'Other',
}
export const networkModeWords: Record<NetworkMode, string> = {
  enforced: 'VPC networks',
  outbound: 'Outbound only, without the rules of VPCs',
  none: 'None',
  simulated: 'Simulated',
}
