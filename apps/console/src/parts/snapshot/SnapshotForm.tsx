import { diskList } from '@purlin/contract/operations/disks'
import { snapshotCreate, snapshotList, snapshotView } from '@purlin/contract/operations/snapshots'
import { useQuery } from '@tanstack/react-query'
import HardDrive from 'lucide-react/icons/hard-drive'
import type { ReactNode } from 'react'
import { useForm, type Control } from 'react-hook-form'
import { invalidate, remember } from '../../api.ts'
import { formatSize } from '../../lib/format.ts'
import { generateName } from '../../lib/names.ts'
import { paths } from '../../paths.ts'
import { errorMessage, send } from '../../send.ts'
import { ComboboxControl } from '../../ui/form/ComboboxControl.tsx'
import { DescriptionControl } from '../../ui/form/DescriptionControl.tsx'
import { NameControl } from '../../ui/form/NameControl.tsx'
import { addToast } from '../../ui/toast.ts'
import { everyPage } from '../everyPage.ts'
import { snapshotRefusal } from '../disk/disks.tsx'
import { ResourceForm } from '../ResourceForm.tsx'
import { doneToast } from '../toasts.tsx'

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
  /** Called after the snapshot was taken. */
  onDone: () => unknown
  onDismiss: () => void
  /** Why nothing can be sent now. */
  submitDisabledReason?: ReactNode
}

/** The form of a new snapshot in a side modal. */
export function SnapshotForm({ project, disk, onDone, ...rest }: SnapshotFormProps) {
  const form = useForm<Values>({
    defaultValues: { name: disk ? generateName([disk]) : '', description: '', disk: disk ?? '' },
  })
  const create = async (body: Values) => {
    const snapshot = await send(snapshotCreate, { query: { project }, body })
    remember(snapshotView, { params: { snapshot: snapshot.name }, query: { project } }, snapshot)
    void invalidate(snapshotList)
    addToast({
      ...doneToast('Snapshot', snapshot.name, 'created'),
      ...(disk ? { cta: { href: paths.snapshots(project), text: 'View snapshots' } } : {}),
    })
    await onDone()
  }
  return (
    <ResourceForm
      title="Create snapshot"
      form={form}
      onSubmit={create}
      resource={
        disk && (
          <>
            <HardDrive aria-hidden /> of {disk}
          </>
        )
      }
      {...rest}
    >
      <NameControl name="name" control={form.control} />
      <DescriptionControl name="description" control={form.control} />
      {!disk && <DiskControl project={project} control={form.control} />}
    </ResourceForm>
  )
}

function DiskControl({ project, control }: { project: string; control: Control<Values> }) {
  const disks = useQuery({ ...everyPage(diskList, { query: { project } }), throwOnError: false })
  const fit = (disks.data ?? []).filter((disk) => !snapshotRefusal(disk))
  return (
    <ComboboxControl
      name="disk"
      control={control}
      required
      placeholder="Select a disk"
      loading={disks.isPending}
      hint={
        disks.error
          ? `The disks could not be read: ${errorMessage(disks.error)}`
          : 'Disks that are attached or detached are listed; others cannot be snapshotted now.'
      }
      items={fit.map(({ name, size, state }) => ({
        value: name,
        label: name,
        description: `${formatSize(size)} / ${state.state}`,
      }))}
    />
  )
}
