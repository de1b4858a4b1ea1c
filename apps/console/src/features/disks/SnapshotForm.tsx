import { diskCan, diskStates } from '@purlin/contract/rules/states'
import HardDrive from 'lucide-react/icons/hard-drive'
import { useWatch, type Control } from 'react-hook-form'
import { formatSize } from '#/lib/format.ts'
import { generateName } from '#/lib/input/names.ts'
import { sections } from '#/lib/addresses.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { snapshotDisabledReason } from './actions.tsx'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { inStates, usePicker } from '#/resource/form/usePicker.ts'

interface Values {
  name: string
  description: string
  disk: string
}

export interface SnapshotFormProps {
  project: string
  /** The name of the disk, where it is chosen already; the snapshot then gets a name made of it. */
  disk?: string
  animate?: boolean
  /** Closes the form, which leads to the list of snapshots unless given. */
  onClose?: () => void
}

/** The form of a new snapshot in a side modal. */
export function SnapshotForm({ project, disk, onClose, animate = false }: SnapshotFormProps) {
  return (
    <CreateForm
      kind={kinds.snapshot}
      scope={{ project }}
      values={{ name: disk ? generateName([disk]) : '', description: '', disk: disk ?? '' }}
      resource={disk ? { icon: HardDrive, name: `of ${disk}` } : undefined}
      {...(disk ? { cta: { href: sections.snapshot.list(project), text: 'View snapshots' } } : {})}
      {...(onClose ? { onCreated: onClose, onDismiss: onClose } : {})}
      animate={animate}
    >
      {({ control }) => !disk && <DiskControl project={project} control={control} />}
    </CreateForm>
  )
}

const fit = inStates(diskStates, (state) => diskCan('snapshot', state))

function DiskControl({ project, control }: { project: string; control: Control<Values> }) {
  const disks = usePicker(kinds.disk, {
    scope: { project },
    value: useWatch({ control, name: 'disk' }),
    by: 'name',
    filter: fit,
    fits: (disk) => !snapshotDisabledReason(disk),
    choice: ({ size, state }) => ({ description: `${formatSize(size)} / ${state.state}` }),
  })
  return (
    <ComboboxControl
      name="disk"
      control={control}
      required
      placeholder="Select a disk"
      hint={disks.problem ?? 'Only disks that are attached or detached can be snapshotted.'}
      {...disks.field}
    />
  )
}
