/** Snapshots as lists show them. */
import { snapshotTransitional } from '@purlin/contract/rules/states'
import { paths } from '#/lib/addresses.ts'
import { usePolling } from '#/live/polling.ts'
import type { Row } from '#/resource/kind.ts'
import { Reference } from '#/resource/address/references.tsx'
import type { kinds } from '#/resource/kinds.ts'

export type Snapshot = Row<typeof kinds.snapshot>

/** The snapshot of an instance that a snapshot is a part of, as a link to it. */
export const WholeOf = ({ id, ...of }: { id: string; project: string; plain?: boolean }) => (
  <Reference to="instanceSnapshot" id={id} {...of} hrefOf={() => paths.lookUp(id)} />
)

/** The `refetchInterval` of a list of snapshots. */
export const useSnapshotPolling = () =>
  usePolling<Snapshot>(({ state }) => (snapshotTransitional.includes(state) ? state : undefined))
