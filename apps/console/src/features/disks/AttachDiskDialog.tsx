import { diskList } from '@purlin/contract/operations/disks'
import { diskCan } from '@purlin/contract/rules/states'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { errorMessage } from '#/api/errors.ts'
import { formatSize } from '#/lib/format.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { everyPage } from '#/api/everyPage.ts'
import { ModalForm } from '#/resource/ModalForm.tsx'

export interface AttachDiskDialogProps {
  project: string
  /** Disks that are chosen already and not offered again. */
  unavailableNames?: readonly string[]
  /** Takes the name of a disk: attaches it, or collects it. What it throws is shown inside. */
  onSubmit: (name: string) => unknown
  onDismiss: () => void
}

/** Chooses one of the project's disks that nothing uses. */
export function AttachDiskDialog({
  project,
  unavailableNames = [],
  onSubmit,
  onDismiss,
}: AttachDiskDialogProps) {
  const form = useForm({ defaultValues: { disk: '' } })
  const disks = useQuery(everyPage(diskList, { query: { project } }))
  const free = (disks.data ?? []).filter(
    ({ name, state }) => diskCan('attach', state.state) && !unavailableNames.includes(name),
  )
  const hint = disks.error
    ? `The disks could not be loaded: ${errorMessage(disks.error)}`
    : disks.data && free.length === 0
      ? 'The project has no disk that can be attached. Create one or detach one from a stopped instance.'
      : undefined
  return (
    <ModalForm
      title="Attach disk"
      submitLabel="Attach disk"
      form={form}
      onSubmit={async ({ disk }) => onSubmit(disk)}
      onDismiss={onDismiss}
    >
      <ComboboxControl
        name="disk"
        control={form.control}
        label="Disk name"
        required
        placeholder="Select a disk"
        loading={disks.isPending}
        hint={hint}
        items={free.map(({ name, size }) => ({ value: name, label: name, description: formatSize(size) }))}
      />
    </ModalForm>
  )
}
