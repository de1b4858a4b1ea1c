/** The steps 0070 to 0079. */
import type { Step } from './step.ts'
import { usage } from './usage.ts'

export const steps0070to0079 = [
  // Images that no disk was made from are found by it.
  { name: '0070-disks-of-images', columns: { disk: { columns: {}, index: [['imageId']] } } },
  { name: '0071-zones-of-schedules', columns: { snapshotSchedule: { columns: { timeZone: 't?' } } } },
  usage,
] as const satisfies readonly Step[]
