import { useForm } from 'react-hook-form'
import { validateIpWithoutZone } from '#/lib/input/ip.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { attachAddress, attachedToast } from './detach.tsx'
import { nothingAttached, type AttachProps, type AttachedAddress } from './queries.ts'

/** Attaches an address to a gateway. */
export function AttachAddressDialog({ gateway, taken, onDismiss }: AttachProps<AttachedAddress>) {
  const form = useForm({ defaultValues: { ...nothingAttached, address: '' } })
  const check = (text: string) =>
    validateIpWithoutZone(text) ??
    (taken.some(({ address }) => address === text.trim()) ? 'This address is attached already' : undefined)
  return (
    <ModalForm
      title="Attach IP address"
      submitLabel="Attach"
      form={form}
      onSubmit={async ({ address, ...body }) => {
        const detach = await attachAddress(gateway, { ...body, address: address.trim() })
        addToast(attachedToast('IP address', body.name, detach))
        onDismiss()
      }}
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
