/** Limits on the number of resources of each kind, except the kinds that quotas count. */
import type { Holder, Most } from '../kinds/kind.ts'
import { kindNames, kinds, type KindName } from './kinds.ts'
import { keysOf, recordOf } from './keys.ts'

/** Unless an operator sets others. */
export const counts: Counts = recordOf(kindNames, (kind): Most => kinds[kind].counts)

/** Sessions of a user. One more ends the one that has not been used for the longest time. */
export const sessionsOfUser = 50

/** SCIM tokens of a silo. */
export const scimTokensOfSilo = 100

/** Access tokens of a user. */
export const accessTokensOfUser = 100

export type Counts = Readonly<Record<KindName, Most>>

/** The limits of a kind, by scope. */
export const holdersOf = (all: Counts, kind: KindName): [Holder, number][] => {
  const most = all[kind]
  return 'unlimited' in most ? [] : keysOf(most).map((holder) => [holder, most[holder] ?? 0])
}

const dashed = (word: string) => word.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** `vpc-per-project`: how operators name the limits that they can set. */
export const countNames = kindNames.flatMap((kind) =>
  holdersOf(counts, kind).map(([holder, most]) => ({
    name: `${dashed(kind)}-per-${dashed(holder).replace('silo-user', 'user')}`,
    kind,
    holder,
    most,
  })),
)

/**
 * The limits with those replaced that a text such as `vpc-per-project=20,instance-per-silo=500` names. Throws an Error
 * for people.
 */
export function readCounts(text: string): Counts {
  const all: Record<KindName, Most> = { ...counts }
  for (const part of text === '' ? [] : text.split(',')) {
    const [name = '', value = ''] = part.trim().split('=')
    const known = countNames.find((one) => one.name === name)
    if (!known) throw new Error(`"${name}" is none of ${countNames.map((one) => one.name).join(', ')}`)
    if (!/^\d{1,9}$/.test(value))
      throw new Error(`${name} must be a whole number, such as ${name}=${known.most}`)
    all[known.kind] = { ...all[known.kind], [known.holder]: Number(value) }
  }
  return all
}
