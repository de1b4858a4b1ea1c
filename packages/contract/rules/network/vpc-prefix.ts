/** The IPv6 prefix of a VPC. */
import { isAligned, parseNet } from './ip.ts'

/** Why a text cannot be the prefix of a VPC, which is a unique local /48 (RFC 4193). */
export function vpcPrefixProblem(text: string): 'syntax' | 'family' | 'range' | 'width' | 'bits' | undefined {
  const net = parseNet(text)
  if (!net) return 'syntax'
  if (net.base.family !== 6) return 'family'
  if (net.base.value >> 120n !== 0xfdn) return 'range'
  if (net.width !== 48) return 'width'
  return isAligned(net) ? undefined : 'bits'
}
