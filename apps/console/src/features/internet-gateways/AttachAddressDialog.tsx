import { useForm } from 'react-hook-form'
import { validateIpWithoutZone } from '#/lib/input/ip.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { addressRequest, attachAddress, attachedToast } from './detach.tsx'
import { nothingAttached, type AttachProps, type AttachedAddress } from './queries.ts'

const empty = { ...nothingAttached, address: '' }
const bodyOf = (values: typeof empty) => ({ ...values, address: values.address.trim() })

/** Attaches an address to a gateway. */
export function AttachAddressDialog({ gateway, taken, onDismiss }: AttachProps<AttachedAddress>) {
  const form = useForm({ defaultValues: empty })
  const check = (text: string) =>
    validateIpWithoutZone(text) ??
    (taken.some(({ address }) => address === text.trim()) ? 'This address is attached already' : undefined)
  return (
    <ModalForm
      title="Attach IP address"
      submitLabel="Attach"
      form={form}
      onSubmit={async (values) => {
        const detach = await attachAddress(gateway, bodyOf(values))
        addToast(attachedToast('IP address', values.name, detach))
        onDismiss()
      }}
      request={(values) => addressRequest(gateway, bodyOf(values))}
      draft={{ form: 'gatewayAddress', place: gateway }}
      onDismiss={onDismiss}
    >
      <TextControl
        name="address"
        control={form.control}
        label="IP address"
        required
        mono
        hint="Source address for outbound traffic"
        validate={check}
      />
      <NameControl name="name" control={form.control} />
      <DescriptionControl name="description" control={form.control} />
    </ModalForm>
  )
}
