/** The texts of fields for a date and a time, in the zone of the browser. */

/** The text for a time; empty for none. */
export function toLocalText(time: Date | null | undefined): string {
  if (!time) return ''
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** Why a text is no time, or undefined. An empty one is none. */
export const localTimeProblem = (text: string): string | undefined =>
  text !== '' && Number.isNaN(new Date(text).getTime()) ? 'Enter a date and a time' : undefined
