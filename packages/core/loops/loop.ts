import type { LoopName } from '#/context.ts'

/** One round of a loop: does what is due and returns when the next round is, in ms since 1970. */
export interface Loop {
  name: LoopName | 'sessions' | 'certificates' | 'upkeep'
  round(): Promise<number>
  /** Asks a long round to end early. */
  stop?(): void
}

/** Pause between two attempts while the database is away. */
export const outageMs = 500
