import { diskRollBack } from '@purlin/contract/operations/storage/disks'
import { nameMaxLength } from '@purlin/contract/rules/names'
import { useQuery } from '@tanstack/react-query'
import { requestTo } from '#/api/request.ts'
import { RollBackForm } from '#/features/disks/RollBackForm.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import type { Snapshot } from './snapshots.tsx'

interface RollBackDialogProps {
  snapshot: Pick<Snapshot, 'id' | 'name' | 'diskId'>
  onDismiss: () => void
}

/** 'Roll disk back': the disk of a snapshot gets its content again. */
export function RollBackDialog({ snapshot, onDismiss }: RollBackDialogProps) {
  // The menu has read it.
  const disk = useQuery({ ...viewQuery(kinds.disk, snapshot.diskId), throwOnError: false }).data
  return (
    <RollBackForm
      noun="Disk"
      snapshot={snapshot.name}
      size={disk?.size}
      nameLength={nameMaxLength}
      request={(body) =>
        requestTo(diskRollBack, {
          params: { disk: snapshot.diskId },
          query: {},
          body: { ...body, snapshot: snapshot.id },
        })
      }
      onDismiss={onDismiss}
    >
      <p>
        Everything that was written to the disk after snapshot <Highlight>{snapshot.name}</Highlight> is lost,
        unless you keep it as a snapshot. The disk must be detached, or its instance stopped.
      </p>
    </RollBackForm>
  )
}
