import type { Instance } from '#/features/instance-state/update.ts'
import type { Action } from '#/resource/actions/actions.tsx'
import { lazily } from '#/lib/lazily.tsx'
import { disabledReason } from './reasons.tsx'

const SnapshotsDialog = lazily(() => import('#/features/disks/SnapshotsDialog.tsx'), 'SnapshotsDialog')
const AddManyDialog = lazily(() => import('#/features/affinity-groups/AddManyDialog.tsx'), 'AddManyDialog')

/** Takes a snapshot of each of several instances, of any projects. */
export const snapshotMany: Action<Instance> = {
  id: 'snapshot',
  label: 'Snapshot',
  role: 'collaborator',
  isOffered: () => false,
  formForMany: (chosen) => <SnapshotsDialog kind="instance" chosen={chosen} />,
}

/** Actions only on several instances. */
export const forMany = (project: string): Action<Instance>[] => [
  snapshotMany,
  {
    id: 'addToGroup',
    label: 'Add to group',
    role: 'collaborator',
    isOffered: () => false,
    disabledReason: ({ runState }) => disabledReason('addToAffinityGroup', runState),
    formForMany: (chosen) => <AddManyDialog project={project} chosen={chosen} />,
  },
]
