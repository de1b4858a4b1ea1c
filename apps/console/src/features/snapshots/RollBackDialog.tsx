import { diskRollBack } from '@purlin/contract/operations/storage/disks'
import { nameMaxLength } from '@purlin/contract/rules/names'
import { requestTo } from '#/api/request.ts'
import { RollBackForm } from '#/features/disks/RollBackForm.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import type { Snapshot } from './snapshots.tsx'

interface RollBackDialogProps {
  snapshot: Pick<Snapshot, 'id' | 'name' | 'diskId'>
  onDismiss: () => void
}

/** 'Roll disk back': the disk of a snapshot gets its content again. */
export const RollBackDialog = ({ snapshot, onDismiss }: RollBackDialogProps) => (
  <RollBackForm
    noun="Disk"
    snapshot={snapshot.name}
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
