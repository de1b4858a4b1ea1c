import { diskUpdate } from '@purlin/contract/operations/storage/disks'
import { GiB } from '@purlin/contract/rules/limits'
import { useForm, useWatch } from 'react-hook-form'
import { requestTo, sendRequest } from '#/api/request.ts'
import { formatSize } from '#/lib/format.ts'
import { StorageHint } from '#/features/utilization/StorageLeft.tsx'
import { LoadToEdit, type Fresh } from '#/resource/form/fresh/LoadToEdit.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { rememberRow, reload, viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { diskSize } from './body.ts'
import type { Disk } from './disks.tsx'

interface Shown {
  project: string
  onDismiss: () => void
}

/** 'Enlarge disk': a disk never becomes smaller. */
export const GrowDialog = ({ id, ...shown }: Shown & { id: string }) => (
  <LoadToEdit title="Enlarge disk" read={viewQuery(kinds.disk, id)} onDismiss={shown.onDismiss}>
    {(disk) => <GrowForm {...shown} disk={disk} />}
  </LoadToEdit>
)

type Grown = Fresh<Pick<Disk, 'id' | 'name' | 'size'>>

function GrowForm({ project, disk, onDismiss }: Shown & { disk: Grown }) {
  const form = useForm({ defaultValues: { size: disk.size / GiB } })
  const size = useWatch({ control: form.control, name: 'size' })
  const request = (values: { size: number }) =>
    requestTo(diskUpdate, { params: { disk: disk.id }, query: {}, body: { size: values.size * GiB } })
  const names = { project, disk: disk.name }
  const grow = async (values: { size: number }) => {
    rememberRow(kinds.disk, await sendRequest(request(values)), { project })
    void reload(kinds.disk)
    showDoneToast('Disk', disk.name, `has ${formatSize(values.size * GiB)} now`)
    onDismiss()
  }
  return (
    <ModalForm
      title="Enlarge disk"
      submitLabel="Enlarge disk"
      form={form}
      onSubmit={grow}
      request={(values) => ({ ...request(values), names })}
      onDismiss={onDismiss}
      submitDisabledReason={size * GiB === disk.size ? 'This is the present size' : undefined}
    >
      <p>
        A running guest sees the new size within seconds, and any other one at its next start. Then enlarge
        the partition and the file system in the guest.
      </p>
      <NumberControl
        name="size"
        control={form.control}
        required
        units="GiB"
        integer
        min={disk.size / GiB}
        max={diskSize.max}
        hint={
          <StorageHint needed={size * GiB - disk.size} refusal="The disk cannot be enlarged that much." />
        }
      />
    </ModalForm>
  )
}
