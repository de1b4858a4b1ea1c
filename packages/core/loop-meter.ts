/** A port: counts the work of loops for monitoring. */

/** How a round ends; `waited` without the database or without room. */
export type LoopResult = 'done' | 'waited' | 'failed'

/** Counts the work of loops for monitoring. */
export interface LoopMeter {
  /** A round that has ended, and the ms that it took, 0 or more. */
  round(loop: string, result: LoopResult, ms: number): void
}
