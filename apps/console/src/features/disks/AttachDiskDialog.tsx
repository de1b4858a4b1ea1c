import { diskCan, diskStates } from '@purlin/contract/rules/states'
import { useForm, useWatch } from 'react-hook-form'
import type { ApiRequest } from '#/api/request.ts'
import { formatSize } from '#/lib/format.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { kinds } from '#/resource/kinds.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { inStates, usePicker } from '#/resource/form/usePicker.ts'

export interface AttachDiskDialogProps {
  project: string
  /** Disks that are chosen already and not offered again. */
  unavailableNames?: readonly string[]
  /** Attaches the disk, or collects it. What it throws is shown inside. */
  onSubmit: (disk: { name: string; size: number }) => unknown
  /** The request that attaches a disk by name; null if disks are collected. */
  request: ((disk: string) => ApiRequest) | null
  onDismiss: () => void
}

const attachable = inStates(diskStates, (state) => diskCan('attach', state))

/** Chooses one of the project's disks that nothing uses. */
export function AttachDiskDialog({
  project,
  unavailableNames = [],
  onSubmit,
  request,
  onDismiss,
}: AttachDiskDialogProps) {
  const form = useForm({ defaultValues: { disk: '' } })
  const disks = usePicker(kinds.disk, {
    scope: { project },
    value: useWatch({ control: form.control, name: 'disk' }),
    by: 'name',
    filter: attachable,
    fits: ({ state }) => diskCan('attach', state.state),
    except: unavailableNames,
    choice: ({ size }) => ({ description: formatSize(size) }),
  })
  const none = disks.isEmpty
    ? 'The project has no disk that can be attached. Create one or detach one from a stopped instance.'
    : undefined
  return (
    <ModalForm
      title="Attach disk"
      submitLabel="Attach disk"
      form={form}
      onSubmit={async () => disks.chosen && onSubmit(disks.chosen)}
      request={request && (({ disk }: { disk: string }) => request(disk))}
      onDismiss={onDismiss}
    >
      <ComboboxControl
        name="disk"
        control={form.control}
        label="Disk name"
        required
        placeholder="Select a disk"
        hint={disks.problem ?? none}
        {...disks.field}
      />
    </ModalForm>
  )
}
