/** Copying the firewall rules of a VPC to another one. */
import { limits } from '@purlin/contract/rules/limits'
import { ExplainedError } from '#/api/errors.ts'
import { isSame } from '#/api/rewrite.ts'
import { sentOf, type Change, type NewRule } from './changes.ts'
import { inOrder, type Rule } from '../queries.ts'
import type { End } from './words.ts'

/** Whether the rules there stay, except those of the same names. */
export type CopyMode = 'add' | 'replace'

export interface Copied {
  rules: readonly Rule[]
  /** The names of the VPCs: a rule can name its own only. */
  from: string
  to: string
  mode: CopyMode
}

/** The rules as the other VPC gets them. */
const renamed = ({ rules, from, to }: Copied): NewRule[] => {
  const end = (one: End): End => (one.type === 'vpc' && one.value === from ? { ...one, value: to } : one)
  return rules.map((rule) => {
    const { targets, filters, ...rest } = sentOf(rule)
    const hosts = filters.hosts ? { hosts: filters.hosts.map(end) } : {}
    return { ...rest, targets: targets.map(end), filters: { ...filters, ...hosts } }
  })
}

/** Adds the rules to those of another VPC, or puts them in their place. */
export const copying = (of: Copied): Change => {
  const copies = renamed(of)
  const names = new Set(copies.map(({ name }) => name))
  return (stored) => {
    const kept = of.mode === 'replace' ? [] : stored.filter(({ name }) => !names.has(name))
    const all = [...kept.map(sentOf), ...copies]
    if (all.length > limits.firewall.rules)
      throw new ExplainedError(
        `The VPC would have ${all.length.toLocaleString()} firewall rules; there can be at most ${limits.firewall.rules.toLocaleString()}.`,
      )
    return all
  }
}

/** The same, if the rules are those that were `seen`. Throws ExplainedError. */
export const ifAsSeen =
  (seen: readonly Rule[], change: Change): Change =>
  (stored) => {
    if (!isSame(inOrder(stored).map(sentOf), inOrder(seen).map(sentOf)))
      throw new ExplainedError('Another user has changed the rules of that VPC. Check the changes again.')
    return change(stored)
  }

export interface Difference {
  name: string
  is: 'added' | 'replaced' | 'removed' | 'unchanged'
}

/** The result for each rule of a VPC, in the order of evaluation, removed rules last. */
export function differencesOf(stored: readonly Rule[], sent: readonly NewRule[]): Difference[] {
  const before = new Map(stored.map((rule) => [rule.name, sentOf(rule)]))
  const isOf = (rule: NewRule): Difference['is'] => {
    const was = before.get(rule.name)
    if (!was) return 'added'
    return isSame(was, rule) ? 'unchanged' : 'replaced'
  }
  const names = new Set(sent.map(({ name }) => name))
  const removed = stored.filter(({ name }) => !names.has(name))
  return [
    ...inOrder(sent as unknown as Rule[]).map((rule) => ({ name: rule.name, is: isOf(sentOf(rule)) })),
    ...inOrder(removed).map(({ name }) => ({ name, is: 'removed' as const })),
  ]
}
