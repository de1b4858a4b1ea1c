import { lifetimeWords } from './lifetimeWords.ts'

export const daySeconds = 24 * 60 * 60

/** How long a new key or token can be valid, as items of a form: in days. */
export const validities = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '180', label: '180 days' },
  { value: '365', label: '1 year' },
  { value: '730', label: '2 years' },
]

/** The validities that a silo allows, and last, as a blank, the longest of all. `most`: in seconds, null for no limit. */
export const validitiesWithin = (most: number | null) => [
  ...validities.filter(({ value }) => most === null || Number(value) * daySeconds < most),
  { value: '', label: most === null ? 'No end' : lifetimeWords(most) },
]
