import type { LoopName } from '#/context.ts'

/** One round of a loop: does the due work and returns the time of the next round, in ms since 1970. */
export interface Loop {
  name:
    | LoopName
    | 'orphans'
    | 'sessions'
    | 'certificates'
    | 'repositories'
    | 'upkeep'
    | 'backups'
    | 'identityProviders'
  /** Woken if something has asked for it, rather than its time has come. */
  round(isWoken?: boolean): Promise<number>
  /** After a round it rests nine times as long as that took, at most a second: what wakes it often does not take the process. */
  rests?: boolean
  /** Asks a long round to end early. */
  stop?(): void
  /** Resolves when the work that rounds have begun, and that outlives them, is done. */
  settled?(): Promise<void>
}

/** Pause between two attempts while the database is away. */
export const outageMs = 500
