/** Rules of second factors, which local users prove in addition to their password. Decision 0079. */

/** How one can be proven. */
export const factorTypes = ['totp', 'passkey'] as const
export type FactorType = (typeof factorTypes)[number]

/** The algorithms of passkeys, by preference, as COSE numbers them: EdDSA, ES256, RS256. */
export const passkeyAlgorithms = [-8, -7, -257] as const

/** Recovery codes of a user. Each signs in once. */
export const recoveryCodes = 10

/** Second factors are changed within this time after a sign-in, ms. */
export const recentSignInMs = 15 * 60_000

/** A sign-in and the addition of a factor must be completed within this time, ms. */
export const challengeMs = 10 * 60_000

/** Wrong answers before the sign-in begins again with the password. */
export const answersOfChallenge = 5

/** A code as it is compared: people may type it with spaces, dashes and capitals. */
export const plainCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase()
