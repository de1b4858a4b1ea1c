/** The hints of forms about the blocks of a subnet; the contract validates them. */
import { formatNet, parseNet } from '@purlin/contract/rules/network/ip'
import {
  ipv4BlockProblem,
  ipv4BlockWidths,
  ipv6BlockProblem,
  ipv6BlockWidth,
  overlapping,
  privateRanges,
  type BlockProblem,
} from '@purlin/contract/rules/network/subnets'
import { validateIpNet } from '#/lib/input/ip.ts'
import type { Check } from '#/lib/input/validate.ts'

/** The known facts of the VPC of the subnet; there are no hints about unknown ones. */
export interface VpcBlocks {
  ipv6Prefix?: string | undefined
  subnets: readonly { name: string; ipv4Block: string; ipv6Block: string }[]
}

const words = (family: 4 | 6, prefix = ''): Record<Exclude<BlockProblem, 'host'>, string> => ({
  family: `Must be an IPv${family} block`,
  private: `Must be within ${privateRanges.join(', ')}`,
  width:
    family === 4
      ? `Width must be between ${ipv4BlockWidths.min} and ${ipv4BlockWidths.max}`
      : `Width must be ${ipv6BlockWidth}`,
  prefix: `Must be within the VPC's prefix ${prefix}`,
})

/** Refuses what cannot be a block of one version of IP in this VPC. */
export const validateBlock =
  (family: 4 | 6, { ipv6Prefix, subnets }: VpcBlocks): Check<string> =>
  (text) => {
    const syntax = validateIpNet(text)
    if (syntax) return syntax
    const net = parseNet(text.trim())
    if (!net) return 'An address with a zone cannot be used: leave out the % and what follows'
    const problem =
      family === 4
        ? ipv4BlockProblem(net)
        : // Any prefix holds the block itself, so that an unknown one refuses nothing.
          ipv6BlockProblem(net, ipv6Prefix ?? text.trim())
    if (problem === 'host') return `Must be the first address of its block: ${formatNet(net)}`
    if (problem) return words(family, ipv6Prefix)[problem]
    const other = overlapping(net, subnets)
    return (
      other && `Overlaps with ${family === 4 ? other.ipv4Block : other.ipv6Block} of subnet ${other.name}`
    )
  }
