/** Snapshots as lists show them. */
import { snapshotView, type snapshotList } from '@purlin/contract/operations/snapshots'
import type { Result } from '@purlin/contract/op'
import { snapshotCan, snapshotTransitional } from '@purlin/contract/rules/snapshot'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { TextLink } from '../../ui/link.tsx'
import { usePolling } from '../polling.ts'
import { FoundName, things, useThing } from '../things.tsx'

export type Snapshot = Result<typeof snapshotList>['items'][number]

/** The disk of a snapshot by name, which leads to its details if `linked`; a badge if it is gone. */
export function DiskOf({
  snapshot: { diskId },
  project,
  linked = false,
}: {
  snapshot: Snapshot
  project: string
  linked?: boolean
}) {
  return (
    <FoundName found={useThing(things.disk(project), diskId)} gone="Deleted">
      {({ name }) => (linked ? <TextLink href={paths.disk({ project, disk: name })}>{name}</TextLink> : name)}
    </FoundName>
  )
}

/** Why no image can be made of a snapshot now, or undefined. */
export const imageRefusal = ({ state }: Pick<Snapshot, 'state'>): string | undefined =>
  snapshotCan('createImage', state) ? undefined : 'Only snapshots in state ready can become images'

/** The query of one snapshot by name. */
export const snapshotQuery = ({ snapshot, project }: { snapshot: string; project: string }) =>
  query(snapshotView, { params: { snapshot }, query: { project } })

/** The `refetchInterval` of a list of snapshots. */
export const useSnapshotPolling = () =>
  usePolling<Snapshot>(({ state }) => (snapshotTransitional.includes(state) ? state : undefined))
