/** The server's time. The clock of the reader's computer may be hours off. No other module reads it. */

// The header has whole seconds, and an answer takes a while.
const tolerance = 5000
let ahead = 0

/** Notes the `Date` header of an answer that has just arrived. */
export function noteServerDate(header: string | null): void {
  const difference = Date.parse(header ?? '') - ownNow()
  if (Number.isFinite(difference)) ahead = Math.abs(difference) > tolerance ? difference : 0
}

/** The present by the server's clock, in ms. */
export const serverNow = (): number => ownNow() + ahead

/** The present by the computer's clock, in ms: only for how long something took or lasts. */
export const ownNow = (): number => Date.now()
