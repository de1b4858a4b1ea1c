/** The hints of the range form about its addresses, before the control plane validates them. */
import { parseIp } from '@purlin/contract/rules/network/ip'
import { validateIpWithoutZone } from '#/lib/input/ip.ts'
import type { Check } from '#/lib/input/validate.ts'

/** First and last address of a range, as texts. */
export interface Bounds {
  first: string
  last: string
}

/** Refuses anything but an IPv4 address. */
export const validateRangeAddress: Check<string> = (text) =>
  validateIpWithoutZone(text) ??
  (parseIp(text.trim())?.family === 6 ? 'IPv6 ranges are not yet supported' : undefined)

const valuesOf = ({ first, last }: Bounds): { first: bigint; last: bigint } | undefined => {
  const [low, high] = [parseIp(first.trim()), parseIp(last.trim())]
  return low?.family === 4 && high?.family === 4 ? { first: low.value, last: high.value } : undefined
}

/** How many addresses a range has; undefined if it is none. */
export function sizeOfRange(bounds: Bounds): number | undefined {
  const values = valuesOf(bounds)
  return values && values.last >= values.first ? Number(values.last - values.first + 1n) : undefined
}

/** Why the last address does not fit the first, or the ranges that the pool has. */
export function rangeProblem(bounds: Bounds, present: readonly Bounds[]): string | undefined {
  const values = valuesOf(bounds)
  if (!values) return undefined
  if (values.last < values.first) return 'The last address must not be lower than the first'
  const other = present.find((one) => {
    const its = valuesOf(one)
    return its && its.first <= values.last && its.last >= values.first
  })
  return other && `Overlaps with the range from ${other.first} to ${other.last}`
}
