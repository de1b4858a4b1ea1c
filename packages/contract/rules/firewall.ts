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
/** Codes of ICMP messages. */
export const icmpCodes: NumberRange = { first: 0, last: 255 }

/** The range that a text such as `80` or `80-90` names, or what is wrong with it in the server's words. */
export function readRange(text: string, allowed: NumberRange): NumberRange | string {
  const [start = '', ...rest] = text.split('-')
  const end = rest.length > 0 ? rest.join('-') : start
  if (start === '' && rest.length > 0) return 'range has no start value'
  if (end === '' && rest.length > 0) return 'range has no end value'
  const problem = numberProblem(start, allowed) ?? numberProblem(end, allowed)
  if (problem !== undefined) return problem
  const range = { first: Number(start), last: Number(end) }
  return range.first > range.last ? 'range has larger start value than end value' : range
}

function numberProblem(text: string, { first, last }: NumberRange): string | undefined {
  if (text === '') return 'cannot parse integer from empty string'
  if (!/^\d+$/.test(text)) return 'invalid digit found in string'
  if (Number(text) > last) return 'number too large to fit in target type'
  return Number(text) < first ? 'number would be zero for non-zero type' : undefined
}
