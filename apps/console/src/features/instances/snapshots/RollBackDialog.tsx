import { instanceSnapshotRollBack } from '@purlin/contract/operations/storage/instance-snapshots'
import { wholeNameMaxLength } from '@purlin/contract/rules/snapshot-names'
import { requestTo } from '#/api/request.ts'
import { RollBackForm } from '#/features/disks/RollBackForm.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { reload } from '#/resource/kind.ts'
import { wholes } from './kind.ts'
import { whole, type Whole } from './snapshots.ts'

interface RollBackDialogProps {
  /** The name of the instance. */
  instance: string
  snapshot: Whole
  onDismiss: () => void
}

/** 'Roll instance back': all of its disks get their content again. */
export const RollBackDialog = ({ instance, snapshot, onDismiss }: RollBackDialogProps) => (
  <RollBackForm
    noun="Instance"
    name={instance}
    snapshot={snapshot.name}
    nameLength={wholeNameMaxLength}
    request={({ snapshot: _, ...body }) => requestTo(instanceSnapshotRollBack, { ...whole(snapshot), body })}
    after={() => reload(wholes)}
    onDismiss={onDismiss}
  >
    <p>
      Everything that was written to the disks of the instance after snapshot{' '}
      <Highlight>{snapshot.name}</Highlight> is lost, unless you keep it as a snapshot.
    </p>
  </RollBackForm>
)
