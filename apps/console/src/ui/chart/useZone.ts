import { useStore } from '#/lib/store.ts'
import type { DateStyle } from '#/lib/format.ts'
import { zoneStore } from '#/ui/value/timeZone.ts'

const utc: DateStyle = { timeZone: 'UTC' }
const local: DateStyle = {}

/** How moments are written in the zone that the reader has chosen. */
export const useZone = (): DateStyle => (useStore(zoneStore) === 'utc' ? utc : local)
