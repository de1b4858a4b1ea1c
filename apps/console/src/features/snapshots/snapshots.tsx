/** Snapshots as lists show them. */
import { snapshotTransitional } from '@purlin/contract/rules/states'
import { usePolling } from '#/live/polling.ts'
import type { Row } from '#/resource/kind.ts'
import type { kinds } from '#/resource/kinds.ts'

export type Snapshot = Row<typeof kinds.snapshot>

/** The `refetchInterval` of a list of snapshots. */
export const useSnapshotPolling = () =>
  usePolling<Snapshot>(({ state }) => (snapshotTransitional.includes(state) ? state : undefined))
