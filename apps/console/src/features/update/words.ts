import type { Status } from './queries.ts'

type Phase = NonNullable<Status['step']>['phase']

/** The present step, as said of a part of the rack, before its name. */
export const doingWords = (phase: Phase): string =>
  phase === 'evacuating' ? 'Moving instances from' : 'Installing on'
