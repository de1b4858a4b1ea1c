/** Which person the claims of an identity provider name (OpenID Connect Core 1.0, section 5.1). */
import type { OidcProviderTable } from '#/db/tables.ts'
import type { OidcClaims } from '#/ports.ts'
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
