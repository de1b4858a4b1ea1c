import {
  offeredMachineSizeList,
  siloMachineSizeCreate,
  siloMachineSizeDelete,
  siloMachineSizeList,
  siloMachineSizeUpdate,
  siloMachineSizeView,
} from '@purlin/contract/operations/instances/machine-sizes'
import { useForm } from 'react-hook-form'
import { invalidate, query } from '#/api/query.ts'
import { requestTo, sendRequest, type ApiRequest } from '#/api/request.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { LoadToEdit, type Fresh } from '#/resource/form/fresh/LoadToEdit.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { emptySize, sizeBody, SizeControls, sizeValues, type SizeValues } from './SizeControls.tsx'
import type { MachineSize } from './sizes.ts'

const refresh = () => invalidate(siloMachineSizeList, offeredMachineSizeList)
const targetOf = (silo: string, { id }: Pick<MachineSize, 'id'>) => ({
  params: { siloMachineSize: id },
  query: { silo },
})

interface Shown {
  silo: string
  onDismiss: () => void
}

/** Makes a size of a silo, or changes one. */
export const SiloSizeDialog = ({ size, ...shown }: Shown & { size?: MachineSize | undefined }) =>
  size ? (
    <LoadToEdit
      title="Edit machine size"
      read={query(siloMachineSizeView, targetOf(shown.silo, size))}
      onDismiss={shown.onDismiss}
    >
      {(now) => <SizeForm {...shown} size={now} />}
    </LoadToEdit>
  ) : (
    <SizeForm {...shown} />
  )

function SizeForm({ silo, size, onDismiss }: Shown & { size?: Fresh<MachineSize> }) {
  const form = useForm({ defaultValues: size ? sizeValues(size) : emptySize })
  const request = (values: SizeValues): ApiRequest =>
    size
      ? requestTo(siloMachineSizeUpdate, { ...targetOf(silo, size), body: sizeBody(values) })
      : requestTo(siloMachineSizeCreate, { query: { silo }, body: sizeBody(values) })
  const save = async (values: SizeValues) => {
    await sendRequest(request(values))
    await refresh()
    addToast({
      title: size ? 'Machine size updated' : 'Machine size created',
      content: <Highlight>{values.name}</Highlight>,
    })
    onDismiss()
  }
  return (
    <ModalForm
      title={size ? 'Edit machine size' : 'New machine size'}
      submitLabel={size ? 'Save' : 'Create machine size'}
      form={form}
      onSubmit={save}
      request={request}
      draft={size ? { form: 'machineSize', place: size.id, isChange: true } : 'machineSize'}
      onDismiss={onDismiss}
    >
      <NameControl name="name" control={form.control} />
      <DescriptionControl name="description" control={form.control} />
      <SizeControls control={form.control} />
    </ModalForm>
  )
}

/** Asks, and deletes a size of a silo. */
export function askToDeleteSize(silo: string, size: MachineSize): void {
  const request = requestTo(siloMachineSizeDelete, targetOf(silo, size))
  confirmAction({
    modalTitle: 'Delete machine size',
    modalContent: (
      <p>
        Forms of the silo no longer offer <Highlight>{size.name}</Highlight>. Instances keep their size. After
        the last one, the silo has the sizes of the fleet again.
      </p>
    ),
    errorTitle: 'Could not delete the machine size',
    actionType: 'danger',
    command: request,
    doAction: async () => {
      await sendRequest(request)
      await refresh()
      addToast({ title: 'Machine size deleted', content: <Highlight>{size.name}</Highlight> })
    },
  })
}
