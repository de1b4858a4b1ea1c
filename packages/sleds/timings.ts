/** A range of milliseconds, both ends included. */
export type Span = readonly [min: number, max: number]

/** The durations of simulated operations, in milliseconds. */
export interface Timings {
  /** starting → running */
  start: Span
  /** rebooting → running */
  reboot: Span
  /** stopping → stopped */
  stop: Span
  /** the migration of a machine to another sled */
  migrate: Span
  /** running → the login greeting on the serial console */
  greeting: number
  /** a host or switch restarts with a new release */
  restart: number
  /** between two echoed characters */
  echo: number
}

/** Realistic but short durations. */
export const realistic: Timings = {
  start: [1500, 4000],
  reboot: [1000, 3000],
  stop: [500, 2000],
  migrate: [2000, 6000],
  greeting: 1000,
  restart: 5000,
  echo: 50,
}

/** Chooses a whole number of milliseconds in the span by a random number from 0 (included) to 1 (excluded). */
export const pick = ([min, max]: Span, random: () => number): number =>
  Math.round(min + (max - min) * random())
