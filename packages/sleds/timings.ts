/** Between these two, both in milliseconds. */
export type Span = readonly [min: number, max: number]

/** How long simulated things take, in milliseconds. */
export interface Timings {
  /** starting → running */
  start: Span
  /** rebooting → running */
  reboot: Span
  /** stopping → stopped */
  stop: Span
  /** running → the login greeting on the serial console */
  greeting: number
  /** between two echoed characters */
  echo: number
}

/** What feels like a machine without trying anyone's patience. */
export const believable: Timings = {
  start: [1500, 4000],
  reboot: [1000, 3000],
  stop: [500, 2000],
  greeting: 1000,
  echo: 50,
}

/** A whole number of milliseconds in the span, for a random number from 0 (included) to 1 (not included). */
export const pick = ([min, max]: Span, random: () => number): number =>
  Math.round(min + (max - min) * random())
