import { keptChoice, type Store } from '#/lib/store.ts'

/** Which clock times are shown by: the browser's own, or UTC. */
export type ZoneChoice = 'local' | 'utc'

/** The zone choice, kept per browser. */
export const zoneStore: Store<ZoneChoice> = keptChoice<ZoneChoice>('purlin-zone', ['local', 'utc'])
