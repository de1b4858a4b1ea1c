/** The texts of fields for a date and a time, in a zone; the browser's unless given. */
import { localTime, timeOfLocal } from '@purlin/contract/rules/time/zones'

/** The zone of the browser; UTC where the browser has none that it knows itself, such as 'Etc/Unknown'. */
export function browserZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

/** The text for a time; empty for none. */
export function toLocalText(time: Date | null | undefined, timeZone = browserZone()): string {
  if (!time) return ''
  return new Date(localTime(time.getTime(), timeZone)).toISOString().slice(0, 16)
}

/** The time for a text that is one. */
export const fromLocalText = (text: string, timeZone: string): Date =>
  new Date(timeOfLocal(Date.parse(`${text}Z`), timeZone))

/** Why a text is no time, or undefined. An empty one is none. */
export const localTimeProblem = (text: string): string | undefined =>
  text !== '' && Number.isNaN(new Date(text).getTime()) ? 'Enter a date and a time' : undefined
