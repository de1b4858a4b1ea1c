/**
 * Changes of a set of firewall rules, which the server replaces as a whole. Rules are identified by name: ids are new
 * after each change.
 */
import type { VpcFirewallRuleUpdate } from '@purlin/contract/operations/vpcs/vpc-firewall-rules'
import { limits } from '@purlin/contract/rules/limits'
import type { In } from '@purlin/contract/schema'
import { ExplainedError, NameTakenError } from '#/api/errors.ts'
import { joinedByAnd } from '#/lib/format.ts'
import { isSame, mergeFields } from '#/api/rewrite.ts'
import { inOrder, type Rule } from '../queries.ts'
import { isWideOpen } from './values.ts'

/** A rule as it is sent. */
export type NewRule = In<typeof VpcFirewallRuleUpdate>
/** Makes the rules to be sent of those that are stored. Throws ExplainedError. */
export type Change = (stored: readonly Rule[]) => NewRule[]

/** A stored rule as it is sent. */
export const sentOf = (rule: Rule): NewRule => {
  const { name, description, status, action, direction, priority, targets, filters } = rule
  return { name, description, status, action, direction, priority, targets, filters }
}

/** Adds a rule. */
export const adding =
  (rule: NewRule): Change =>
  (stored) => {
    if (stored.some(({ name }) => name === rule.name)) throw new NameTakenError('vpc-firewall-rule')
    if (stored.length >= limits.firewall.rules)
      throw new ExplainedError(
        `A VPC can have at most ${limits.firewall.rules.toLocaleString()} firewall rules.`,
      )
    return [...stored.map(sentOf), rule]
  }

/** Applies the values of `rule` that differ from those that were `seen`. Concurrent changes of others stay. */
export const replacing =
  (seen: Rule, rule: NewRule): Change =>
  (stored) => {
    checkThere(stored, seen)
    if (stored.some(({ name }) => name === rule.name && name !== seen.name))
      throw new NameTakenError('vpc-firewall-rule')
    return stored.map((one) => (one.name === seen.name ? merged(seen, rule, one) : sentOf(one)))
  }

/** Leaves a rule out that is still as it was when it was `seen`. */
export const removing =
  (seen: Rule): Change =>
  (stored) => {
    checkSame(stored, seen)
    return stored.filter(({ name }) => name !== seen.name).map(sentOf)
  }

/** Enables or disables a rule. */
export const switching = (seen: Rule, status: Rule['status']): Change =>
  replacing(seen, { ...sentOf(seen), status })

/** Has a rule evaluated before the one that was seen above it, or after the one that was seen below it. */
export const moving =
  (seen: Rule, by: -1 | 1, among: readonly Rule[]): Change =>
  (stored) => {
    checkThere(stored, seen)
    const neighbour = neighbourOf(among, seen, by)
    if (neighbour === undefined || neighbourOf(stored, seen, by) !== neighbour)
      throw new ExplainedError(
        'Another user has changed the order of the rules. Check it before you change it.',
      )
    const numbers = new Map(moved(stored, seen, by).map(({ name, priority }) => [name, priority]))
    return stored.map((one) => sentOf({ ...one, priority: numbers.get(one.name) ?? one.priority }))
  }

/**
 * Restores the values that changed rules had `before`, unless another user has changed them since. `renamed` names
 * the rule that the change has renamed.
 */
export const restoring = (
  before: readonly Rule[],
  after: readonly Rule[],
  renamed?: { from: string; to: string },
): Change => {
  const nameAfter = (name: string) => (name === renamed?.from ? renamed.to : name)
  const altered = before.flatMap((was) => {
    const is = after.find(({ name }) => name === nameAfter(was.name))
    return is && !isSame(sentOf(was), sentOf(is)) ? [{ was, is }] : []
  })
  return (stored) => {
    for (const { is } of altered) checkThere(stored, is)
    return stored.map((one) => {
      const of = altered.find(({ is }) => is.name === one.name)
      return of ? merged(of.is, sentOf(of.was), one) : sentOf(one)
    })
  }
}

/** The rules of a direction, in order. The others are evaluated apart from them. */
export const siblingsOf = (rules: readonly Rule[], { direction }: Pick<Rule, 'direction'>): Rule[] =>
  inOrder(rules.filter((one) => one.direction === direction))

/** The name of the rule above or below a rule. */
function neighbourOf(rules: readonly Rule[], { name }: Rule, by: -1 | 1): string | undefined {
  const own = rules.find((one) => one.name === name)
  const siblings = own ? siblingsOf(rules, own) : []
  return siblings[siblings.findIndex((one) => one.name === name) + by]?.name
}

const highest = 65_535

/** The rules of the direction with the priorities that put one at the place of its neighbour. */
function moved(stored: readonly Rule[], seen: Rule, by: -1 | 1): Rule[] {
  const { name } = seen
  const siblings = siblingsOf(stored, stored.find((one) => one.name === name) ?? seen)
  const at = siblings.findIndex((one) => one.name === name)
  const [own, other] = [siblings[at], siblings[at + by]]
  if (!own || !other) return siblings
  const wanted = siblings.with(at, { ...other, priority: own.priority })
  return spread(wanted.with(at + by, { ...own, priority: other.priority }))
}

/** Raises priorities as little as keeps rules in this order; lowers the last ones where no higher number is left. */
function spread(rules: readonly Rule[]): Rule[] {
  const raised: Rule[] = []
  for (const rule of rules) raised.push(after(raised.at(-1), rule))
  const result: Rule[] = []
  for (const rule of raised.toReversed()) result.unshift(before(result[0], rule))
  return result
}

function after(last: Rule | undefined, rule: Rule): Rule {
  if (!last || isBefore(last, rule)) return rule
  const equal = { ...rule, priority: last.priority }
  return isBefore(last, equal) ? equal : { ...rule, priority: last.priority + 1 }
}

function before(next: Rule | undefined, rule: Rule): Rule {
  const held = { ...rule, priority: Math.min(rule.priority, highest) }
  if (!next || isBefore(held, next)) return held
  const equal = { ...rule, priority: next.priority }
  return isBefore(equal, next) ? equal : { ...rule, priority: next.priority - 1 }
}

const isBefore = (a: Rule, b: Rule): boolean => inOrder([b, a])[0] === a

/** The parts of a rule that users change independently. Ports depend on the protocols, so they are one part. */
const fieldsOf = ({ filters: { hosts, ports, protocols }, ...rule }: NewRule) => ({
  ...rule,
  hosts: hosts ?? [],
  traffic: { ports: ports ?? [], protocols: protocols ?? [] },
})
type Fields = ReturnType<typeof fieldsOf>

const orNull = <T>(list: T[]): T[] | null => (list.length > 0 ? list : null)
const ruleOfFields = ({ hosts, traffic: { ports, protocols }, ...rule }: Fields): NewRule => ({
  ...rule,
  filters: { hosts: orNull(hosts), ports: orNull(ports), protocols: orNull(protocols) },
})

const fieldWords: Record<keyof Fields, string> = {
  name: 'name',
  description: 'description',
  status: 'status',
  action: 'action',
  direction: 'direction',
  priority: 'priority',
  targets: 'targets',
  hosts: 'host filters',
  traffic: 'ports and protocols',
}

/** The rule as it is stored, with what is wanted otherwise than it was seen. */
function merged(seen: Rule, rule: NewRule, now: Rule): NewRule {
  const versions = { seen: fieldsOf(sentOf(seen)), wanted: fieldsOf(rule), now: fieldsOf(sentOf(now)) }
  const result = mergeFields(versions)
  if (result.clashes.length > 0)
    throw changedMeanwhile(seen, ` (${joinedByAnd(result.clashes.map((field) => fieldWords[field]))})`)
  // Each took one of the filters away.
  if (isOpen(result.merged) && !isOpen(versions.wanted) && !isOpen(versions.now)) throw changedMeanwhile(seen)
  return ruleOfFields(result.merged)
}

const isOpen = ({ status, traffic, ...rest }: Fields): boolean =>
  isWideOpen({ ...rest, ...traffic, status: status === 'enabled' })

const changedMeanwhile = ({ name }: Rule, what = ''): ExplainedError =>
  new ExplainedError(`Another user has changed the rule ${name}${what}. Check it before you change it.`)

function checkThere(stored: readonly Rule[], { name }: Rule): void {
  if (!stored.some((one) => one.name === name))
    throw new ExplainedError(`The rule ${name} no longer exists: it was renamed or deleted.`)
}

function checkSame(stored: readonly Rule[], seen: Rule): void {
  checkThere(stored, seen)
  const now = stored.find(({ name }) => name === seen.name)
  if (now && JSON.stringify(sentOf(now)) !== JSON.stringify(sentOf(seen))) throw changedMeanwhile(seen)
}
