/** Searching firewall rules. */
import { matchesLoosely } from '#/lib/text.ts'
import type { Rule } from '../queries.ts'
import { actionWords, directionWords, endWords, protocolWords, type End } from './words.ts'

const wordsOfEnd = ({ type, value }: End): string[] => [endWords[type], value]

/** All that is shown of a rule. */
function wordsOf({
  name,
  description,
  priority,
  action,
  direction,
  status,
  targets,
  filters,
}: Rule): string[] {
  const { hosts, protocols, ports } = filters
  return [
    name,
    description,
    String(priority),
    actionWords[action],
    directionWords[direction],
    status,
    ...targets.flatMap(wordsOfEnd),
    ...(hosts ?? []).flatMap(wordsOfEnd),
    ...(ports ?? []),
    ...(protocols ?? []).flatMap((one) => {
      const { protocol, messages } = protocolWords(one)
      return messages === null ? [protocol] : [protocol, messages]
    }),
  ]
}

/** Whether each word of a text, in any order, is in what is shown of a rule. */
export function isRuleFound(rule: Rule, text: string): boolean {
  const shown = wordsOf(rule)
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .every((word) => shown.some((one) => matchesLoosely(one, word)))
}
