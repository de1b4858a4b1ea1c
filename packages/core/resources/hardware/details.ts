/** Values that rows of hardware have in another form than clients see. */
import type { SledTable } from '#/db/tables.ts'
import type { SledInfo } from '#/ports.ts'

/** The part of the report of a sled that has no columns. */
export type HostDetails = Pick<
  SledInfo,
  'vendor' | 'model' | 'cpuModel' | 'accelerator' | 'cubby' | 'temperature' | 'links' | 'load'
> &
  // A host may have last reported to an older version.
  Partial<Pick<SledInfo, 'networkMode' | 'tunnelAddress' | 'external' | 'version' | 'sharedStorage'>>

/** The report of a sled about itself; null for a row of a version that did not know. */
export const detailsOf = ({ hostJson }: Pick<SledTable, 'hostJson'>): HostDetails | null =>
  hostJson === null ? null : (JSON.parse(hostJson) as HostDetails)

/** Beyond all that is measured. Columns have room for it, and not for every number that a host may name. */
const mostMeasured = 1e9
const measured = (value: number): number => Math.min(Math.max(value, -mostMeasured), mostMeasured)

/** A measured value as columns have it, which are whole numbers. */
export const hundredths = <T extends number | null>(value: T): T =>
  (value === null ? null : Math.round(measured(value) * 100)) as T
/** The value as clients see it. */
export const fromHundredths = (value: number | null): number | null => (value === null ? null : value / 100)

export const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at))

/** When hardware was reported, and since when it is missing. */
export const seenOf = (row: { timeReported: number | null; missingSince: number | null }) => ({
  timeReported: dateOf(row.timeReported),
  missingSince: dateOf(row.missingSince),
})
export const timesOf = (row: { timeCreated: number; timeModified: number }) => ({
  timeCreated: new Date(row.timeCreated),
  timeModified: new Date(row.timeModified),
})

/** The columns of a sled that is not in maintenance. */
export const notInMaintenance = {
  maintenanceSince: null,
  maintenanceTaskId: null,
  policyBefore: null,
} as const

/** The columns of a switch that has no settings yet. */
export const neverPushed = {
  pushVersion: null,
  pushDigest: null,
  timePushed: null,
  pushFailure: null,
  timePushFailed: null,
  pushFailures: null,
} as const
