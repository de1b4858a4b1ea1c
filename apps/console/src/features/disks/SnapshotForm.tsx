import { diskCan, diskStates } from '@purlin/contract/rules/states'
import HardDrive from 'lucide-react/icons/hard-drive'
import { useWatch, type Control } from 'react-hook-form'
import { StorageLeft } from '#/features/utilization/StorageLeft.tsx'
import { formatSize } from '#/lib/format.ts'
import { lazily } from '#/lib/lazily.tsx'
import { generateName } from '#/lib/input/names.ts'
import { sections } from '#/lib/addresses.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { snapshotDisabledReason } from './reasons/reasons.ts'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { inStates, usePicker } from '#/resource/form/usePicker.ts'

// Few projects lack one.
const MissingDisk = lazily(() => import('./MissingDisk.tsx'), 'MissingDisk')

interface Values {
  name: string
  description: string
  disk: string
}

export interface SnapshotFormProps {
  project: string
  /** The name of the disk, where it is chosen already; the snapshot then gets a name made of it. */
  disk?: string
  /** The size of that disk. */
  size?: number
  animate?: boolean
  /** Closes the form, which leads to the list of snapshots unless given. */
  onClose?: () => void
}

/** The form of a new snapshot in a side modal. */
export function SnapshotForm({ project, disk, size, onClose, animate = false }: SnapshotFormProps) {
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
      {({ control, setValue }) =>
        disk ? (
          <StorageLeft needed={size} />
        ) : (
          <DiskControl
            project={project}
            control={control}
            onMade={(name) => setValue('disk', name, { shouldDirty: true })}
          />
        )
      }
    </CreateForm>
  )
}

const fit = inStates(diskStates, (state) => diskCan('snapshot', state))

interface DiskControlProps {
  project: string
  control: Control<Values>
  /** Gets the name of the disk that is then created. */
  onMade: (name: string) => void
}

function DiskControl({ project, control, onMade }: DiskControlProps) {
  const disks = usePicker(kinds.disk, {
    scope: { project },
    value: useWatch({ control, name: 'disk' }),
    by: 'name',
    filter: fit,
    fits: (disk) => !snapshotDisabledReason(disk),
    choice: ({ size, state }) => ({ description: `${formatSize(size)} / ${state.state}` }),
  })
  return (
    <>
      {disks.isEmpty && <MissingDisk project={project} onMade={onMade} />}
      <ComboboxControl
        name="disk"
        control={control}
        required
        placeholder="Select a disk"
        hint={disks.problem ?? 'Only disks that are attached or detached can be snapshotted.'}
        {...disks.field}
      />
      <StorageLeft needed={disks.chosen?.size} />
    </>
  )
}
