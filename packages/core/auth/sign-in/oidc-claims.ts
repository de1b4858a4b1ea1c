/** Which person the claims of an identity provider name (OpenID Connect Core 1.0, section 5.1). */
import type { OidcProviderTable } from '#/db/tables.ts'
import type { OidcClaims } from '#/ports.ts'
import type { Said } from './sign-in-tests.ts'
import { groupsFrom, subjectProblem } from './proven-names.ts'

type Names = Pick<OidcProviderTable, 'nameClaim' | 'groupsClaim'>

/** The claims that people recognise each other by, best first. */
const nameClaims = ['preferred_username', 'name', 'email'] as const

/** The claims that a sign-in reads. */
export const claimsRead = ({ nameClaim, groupsClaim }: Names): string[] => [
  nameClaim,
  ...(nameClaim === 'email' ? ['email_verified'] : []),
  ...(groupsClaim === null ? [] : [groupsClaim]),
  ...nameClaims,
]

/** The person; or the reason for refusing the claims. */
export function personIn(
  claims: OidcClaims,
  { nameClaim, groupsClaim }: Names,
): { subject: string; displayName: string; groups: string[] } | { problem: string } {
  const subject = textIn(claims, nameClaim)
  const problem = subjectProblem(subject, `no claim ${nameClaim} in the ID token`)
  if (subject === undefined || problem !== undefined) return { problem: problem ?? '' }
  // Otherwise a person could enter the address of another one at the provider.
  if (nameClaim === 'email' && String(claims['email_verified']) === 'false')
    return { problem: 'the provider has not verified the e-mail address' }
  const groups = groupsFrom(groupsClaim === null ? [] : valuesIn(claims, groupsClaim))
  if (!groups) return { problem: 'the ID token names too many groups, or one with too long a name' }
  const shown = nameClaims.map((name) => textIn(claims, name))
  const displayName = shown.find((name) => subjectProblem(name, 'none') === undefined)
  return { subject, displayName: displayName ?? subject, groups }
}

const textIn = (claims: OidcClaims, name: string): string | undefined => {
  const value = claims[name]
  return typeof value === 'string' ? value : undefined
}

/** Providers send a list, or one text. */
function valuesIn(claims: OidcClaims, name: string): string[] {
  const value = claims[name]
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((one) => typeof one === 'string')
}

/** Claims that tie a token to its request and say nothing of a person. */
const technical = new Set(['nonce', 'at_hash', 'c_hash', 's_hash'])

/** The content of claims for people. */
export function saidIn(claims: OidcClaims, { nameClaim, groupsClaim }: Names): Said {
  const shown = nameClaims.find((name) => subjectProblem(textIn(claims, name), 'none') === undefined)
  const useOf = (name: string): Said['attributes'][number]['use'] => {
    if (name === nameClaim) return 'name'
    if (name === groupsClaim) return 'groups'
    return name === shown ? 'display_name' : null
  }
  const { iss, sub, aud, iat, nbf, exp } = claims
  return {
    issuer: textOf(iss),
    subject: textOf(sub),
    audiences: (Array.isArray(aud) ? aud : [aud]).filter((one) => typeof one === 'string'),
    timeIssued: timeOf(iat),
    timeValidFrom: timeOf(nbf),
    timeValidUntil: timeOf(exp),
    attributes: Object.entries(claims)
      .filter(([name]) => !technical.has(name))
      .map(([name, value]) => ({
        name,
        values: (Array.isArray(value) ? (value as unknown[]) : [value]).map(wordsOf),
        use: useOf(name),
      })),
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** ms since 1970, of seconds; null for what no date can be. */
const timeOf = (value: unknown): number | null =>
  typeof value === 'number' && Math.abs(value) <= 8.64e12 ? value * 1000 : null

const wordsOf = (value: unknown): string => textOf(value) ?? JSON.stringify(value) ?? ''
