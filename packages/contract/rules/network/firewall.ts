/** Filters of firewall rules. */

/** True if the text is one port, or a range of two whose end is not below its start. */
export function isPortRange(text: string): boolean {
  const [, first, last] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text.trim()) ?? []
  return first !== undefined && Number(last ?? first) >= Number(first)
}

/** Numbers from `first` to `last`. */
export interface NumberRange {
  first: number
  last: number
}

/** Ports, as a rule may name them. */
export const portNumbers: NumberRange = { first: 1, last: 65_535 }
/** Types and codes of ICMP messages. */
export const icmpTypes: NumberRange = { first: 0, last: 255 }
export const icmpCodes: NumberRange = { first: 0, last: 255 }

/** True if packets of one of these protocols have ports; those of no protocol in particular have. */
export const havePorts = (protocols: readonly { type: 'tcp' | 'udp' | 'icmp' }[]): boolean =>
  protocols.length === 0 || protocols.some(({ type }) => type !== 'icmp')

/** Why a text is not a number or range: its form, its one number, an end, or the order of its ends. */
export type RangeProblem = 'syntax' | 'number' | 'start' | 'end' | 'order'

export function rangeProblem(text: string, { first, last }: NumberRange): RangeProblem | undefined {
  const found = /^(\d+)(?:-(\d+))?$/.exec(text)
  if (!found) return 'syntax'
  const isAllowed = (number: number) => number >= first && number <= last
  const start = Number(found[1])
  if (found[2] === undefined) return isAllowed(start) ? undefined : 'number'
  const end = Number(found[2])
  if (!isAllowed(start)) return 'start'
  if (!isAllowed(end)) return 'end'
  return start > end ? 'order' : undefined
}

/** The range of a text such as `80` or `80-90`, or the problem with it, as the server words it. */
export function readRange(text: string, allowed: NumberRange): NumberRange | string {
  const at = text.indexOf('-')
  const start = at < 0 ? text : text.slice(0, at)
  const end = at < 0 ? text : text.slice(at + 1)
  const [first, last] = [numberIn(start), numberIn(end)]
  if (first >= allowed.first && last <= allowed.last && first <= last) return { first, last }
  // The problem is computed only on failure: a set of rules has thousands of ranges.
  if (start === '' && at >= 0) return 'range has no start value'
  if (end === '' && at >= 0) return 'range has no end value'
  const problem = numberProblem(start, allowed) ?? numberProblem(end, allowed)
  return problem ?? 'range has larger start value than end value'
}

/** The number that a text of digits names; NaN for any other text. */
function numberIn(text: string): number {
  let number = text === '' ? NaN : 0
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 0x30
    if (digit < 0 || digit > 9) return NaN
    number = 10 * number + digit
  }
  return number
}

function numberProblem(text: string, { first, last }: NumberRange): string | undefined {
  if (text === '') return 'cannot parse integer from empty string'
  if (!/^\d+$/.test(text)) return 'invalid digit found in string'
  const number = Number(text)
  if (number > last) return 'number too large to fit in target type'
  return number < first ? 'number would be zero for non-zero type' : undefined
}

interface Precedence {
  name: string
  priority: number
  action: 'allow' | 'deny'
}

/**
 * The order in which rules are evaluated: the lowest number first; among equal ones deny before allow, and then names,
 * so that the order is always the same.
 */
export function byPrecedence(a: Precedence, b: Precedence): number {
  if (a.priority !== b.priority) return a.priority - b.priority
  if (a.action !== b.action) return a.action === 'deny' ? -1 : 1
  return a.name < b.name ? -1 : 1
}
