/** Chooses a sled by the affinity and anti-affinity groups of an instance. */

/** A member of a group that an instance is in, and the sled that it is on. */
export interface NearMember {
  /** The instance whose group it is. */
  of: string
  instanceId: string
  sledId: string
  kind: 'affinity' | 'anti_affinity'
  policy: 'allow' | 'fail'
  /** of the group */
  name: string
}

/** The sleds that the groups of an instance require, prefer, avoid or ban, and the reasons. */
export type Neighbours = ReturnType<typeof rulesOf>

/** The rules that the other members of its groups make for an instance. */
export function rulesOf(rows: readonly NearMember[]) {
  const saying = (kind: string, policy: string) =>
    rows.filter((one) => one.kind === kind && one.policy === policy)
  const sleds = (kind: string, policy: string) => new Set(saying(kind, policy).map((one) => one.sledId))
  const groups = (kind: string, on: (sledId: string) => boolean) => {
    const strict = saying(kind, 'fail').filter((one) => on(one.sledId))
    return [...new Set(strict.map(({ name }) => `"${name}"`))].toSorted().join(', ')
  }
  const any = () => true
  return {
    /** Why none of these sleds can be used although all have capacity. */
    whyBanned: (fitting: readonly string[]) =>
      `Every sled with enough capacity has another member of an anti-affinity group whose policy is fail: ${groups('anti_affinity', (id) => fitting.includes(id))}. ` +
      'Take the instance out of the group',
    /** Why only one sled can be used. */
    whyRequired: () =>
      `All members of an affinity group whose policy is fail must be on one sled: ${groups('affinity', any)}.`,
    /** Why no sled can be used: the groups require several. */
    whySplit: () =>
      `The members of its affinity groups whose policy is fail are on more than one sled: ${groups('affinity', any)}. Take the instance out of one of them.`,
    /** Why the required sled cannot be used. */
    whyContradictory: (required: string) =>
      `The affinity group ${groups('affinity', any)} requires a sled that the anti-affinity group ${groups('anti_affinity', (id) => id === required)} forbids. Take the instance out of one of them.`,
    required: sleds('affinity', 'fail'),
    preferred: sleds('affinity', 'allow'),
    banned: sleds('anti_affinity', 'fail'),
    avoided: sleds('anti_affinity', 'allow'),
  }
}

/** A sled with capacity for the instance. */
export interface Candidate {
  id: string
  freeThreads: number
}
export type Refusal =
  | { kind: 'contradiction'; why: string }
  | { kind: 'elsewhere'; why: string; required: string }
  /** Without a reason: no sled has capacity. */
  | { kind: 'none'; why?: string }

/**
 * Chooses among the sleds that have capacity, by the rules of the instance's groups. Of equals, `dice` chooses; without
 * one, it is the sled with the most free threads.
 */
export function choose({
  rules,
  fitting,
  leaving,
  dice,
}: {
  rules: Neighbours
  fitting: readonly Candidate[]
  leaving: string | null
  dice: number | undefined
}): { sled: string } | { sled?: undefined; refusal: Refusal } {
  const ids = fitting.map(({ id }) => id)
  if (rules.required.size > 1) return { refusal: { kind: 'contradiction', why: rules.whySplit() } }
  const [required] = rules.required
  if (required !== undefined) {
    if (rules.banned.has(required))
      return { refusal: { kind: 'contradiction', why: rules.whyContradictory(required) } }
    if (required === leaving)
      return {
        refusal: { kind: 'contradiction', why: `${rules.whyRequired()} The others are on this sled.` },
      }
    if (!ids.includes(required)) return { refusal: { kind: 'elsewhere', why: rules.whyRequired(), required } }
    return { sled: required }
  }
  const allowed = fitting.filter(({ id }) => !rules.banned.has(id))
  const rank = ({ id }: Candidate) => Number(rules.avoided.has(id)) - Number(rules.preferred.has(id))
  const best = Math.min(...allowed.map(rank))
  const equals = allowed.filter((one) => rank(one) === best)
  const chosen =
    dice === undefined
      ? equals.toSorted((a, b) => b.freeThreads - a.freeThreads || (a.id < b.id ? -1 : 1))[0]
      : equals[dice % equals.length]
  if (chosen) return { sled: chosen.id }
  return { refusal: ids.length > 0 ? { kind: 'none', why: rules.whyBanned(ids) } : { kind: 'none' } }
}
