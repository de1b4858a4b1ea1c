/** Snapshots as lists show them. */
import { snapshotTransitional } from '@purlin/contract/rules/states'
import { paths } from '#/lib/addresses.ts'
import { usePolling } from '#/live/polling.ts'
import type { Row } from '#/resource/kind.ts'
import { Reference } from '#/resource/address/references.tsx'
import type { kinds } from '#/resource/kinds.ts'

export type Snapshot = Row<typeof kinds.snapshot>

/** The snapshot of an instance that a snapshot is a part of, as a link to it. */
export const WholeOf = ({
  id,
  ...of
}: {
  id: string
  project: string
  plain?: boolean
  inCell?: boolean
}) => <Reference to="instanceSnapshot" id={id} {...of} hrefOf={() => paths.lookUp(id)} />

/** The schedule that has made a snapshot, as a link to it; a badge if it is one of the disk, or gone. */
export const MadeBy = ({ id, ...of }: { id: string; project: string; plain?: boolean }) => (
  <Reference to="schedule" id={id} {...of} deleted="by schedule" />
)

/** The `refetchInterval` of a list of snapshots. */
export const useSnapshotPolling = () =>
  usePolling<Snapshot>(({ state }) => (snapshotTransitional.includes(state) ? state : undefined))
