import type { ReactNode } from 'react'
import { useForm, useWatch, type Control } from 'react-hook-form'
import { sendRequest, type ApiRequest } from '#/api/request.ts'
import { StorageLeft } from '#/features/utilization/StorageLeft.tsx'
import { generateName } from '#/lib/input/names.ts'
import { validateLength } from '#/lib/input/validate.ts'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { reload, type Named, type RowOp } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'

interface RollBackFormProps<O extends RowOp<Named>> {
  /** 'Disk', and its name in the toast; undefined if only the answer has it. */
  noun: string
  name?: string
  /** The name of the snapshot to go back to; chosen by the field `snapshot` of the form if there is none. */
  snapshot?: string
  /** The value of that field at first. */
  chosen?: string
  /** The longest name of a snapshot. */
  nameLength: number
  /** The request; `snapshotBefore` is the name of a snapshot to take before, if one is to be taken. */
  request: (body: { snapshot: string; snapshotBefore?: string }) => ApiRequest<O>
  /** The bytes of the snapshot that is taken before, if they are known. */
  size?: number | undefined
  /** Reads further lists again. */
  after?: () => unknown
  onDismiss: () => void
  children: ReactNode | ((control: Control<RollBackValues>) => ReactNode)
}

export interface RollBackValues {
  snapshot: string
  isKept: boolean
  name: string
}

/** Rolls something back to a snapshot, and offers to keep its present content as another one. */
export function RollBackForm<O extends RowOp<Named>>(props: RollBackFormProps<O>) {
  const { noun, nameLength, children, after, ...of } = props
  const { snapshot: to = of.chosen ?? '' } = of
  const form = useForm<RollBackValues>({
    defaultValues: {
      snapshot: to,
      isKept: true,
      name: generateName(['before', of.snapshot ?? of.name ?? ''], undefined, nameLength),
    },
  })
  const isKept = useWatch({ control: form.control, name: 'isKept' })
  const request = ({ snapshot, isKept: keeps, name }: RollBackValues) =>
    of.request({ snapshot, ...(keeps ? { snapshotBefore: name } : {}) })
  const rollBack = async (values: RollBackValues) => {
    const made: Named = await sendRequest(request(values))
    void reload(kinds.disk)
    void reload(kinds.snapshot)
    void after?.()
    showDoneToast(noun, of.name ?? made.name, `has the content of snapshot ${values.snapshot} again`)
    of.onDismiss()
  }
  const title = `Roll ${noun.toLowerCase()} back`
  return (
    <ModalForm
      title={title}
      submitLabel={title}
      form={form}
      onSubmit={rollBack}
      request={request}
      onDismiss={of.onDismiss}
    >
      {typeof children === 'function' ? children(form.control) : children}
      <CheckboxControl
        name="isKept"
        control={form.control}
        label="Take a snapshot of the present content first"
      />
      {isKept && (
        <>
          <NameControl
            name="name"
            control={form.control}
            label="Name of that snapshot"
            validate={validateLength(nameLength)}
          />
          <StorageLeft needed={of.size} />
        </>
      )}
    </ModalForm>
  )
}
