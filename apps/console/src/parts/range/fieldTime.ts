/** Moments in the fields of browsers (`datetime-local`), which know no zone. */

const minuteOf = (date: Date) => date.toISOString().slice(0, 16)
const secondOf = (date: Date) => date.toISOString().slice(0, 19)

/** '2026-11-21T15:04', with seconds if there are some, in UTC or in the zone of the browser. */
export function toField(moment: number, isUtc: boolean): string {
  const shift = isUtc ? 0 : new Date(moment).getTimezoneOffset() * 60_000
  const date = new Date(moment - shift)
  return date.getUTCSeconds() === 0 ? minuteOf(date) : secondOf(date)
}

/** The moment that a field holds; not a number while it is incomplete. */
export const fromField = (text: string, isUtc: boolean): number => Date.parse(isUtc ? `${text}Z` : text)
