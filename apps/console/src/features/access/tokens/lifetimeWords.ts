import { countOf } from '@purlin/contract/rules/kinds'

const units = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const

/** `30 days`, `90 minutes`, `61 seconds`: in the largest unit of which it is a whole number. */
export function lifetimeWords(seconds: number): string {
  const [length, noun] = units.find(([one]) => seconds % one === 0) ?? [1, 'second']
  return countOf(seconds / length, noun)
}
