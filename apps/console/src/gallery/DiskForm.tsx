import { useForm } from 'react-hook-form'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { RadioCardsControl } from '#/ui/form/RadioCardsControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { FormRefusal } from '#/ui/form/FormRefusal.tsx'
import { FormFooter } from '#/ui/form/FormFooter.tsx'
import { SideModal, type SideModalProps } from '#/ui/overlay/SideModal.tsx'
import { validateIp } from '#/lib/input/ip.ts'

const images = [
  { value: 'u', label: 'ubuntu-24-04' },
  { value: 'd', label: 'debian-13' },
]

export function DiskForm({ resource, onDismiss }: Pick<SideModalProps, 'resource' | 'onDismiss'>) {
  const { control, handleSubmit, setFocus, formState } = useForm({
    defaultValues: {
      name: '',
      description: '',
      source: 'blank',
      image: '',
      pool: '',
      size: Number.NaN,
      address: '',
      readOnly: false,
    },
  })
  return (
    <SideModal
      title="Create disk"
      resource={resource}
      animate
      onDismiss={onDismiss}
      onSubmit={(event) => void handleSubmit(() => undefined)(event)}
      refusal={
        <FormRefusal
          problem={
            formState.isSubmitSuccessful
              ? {
                  message: 'Disk name already exists',
                  requestId: 'b2f6c6a1',
                  field: { label: 'Name', onGo: () => setFocus('name') },
                }
              : undefined
          }
        />
      }
      footer={<FormFooter submitLabel="Create disk" onCancel={onDismiss} />}
    >
      <NameControl control={control} name="name" />
      <DescriptionControl control={control} name="description" />
      <RadioCardsControl
        control={control}
        name="source"
        required
        columns={3}
        options={[
          { value: 'blank', label: 'Blank', description: 'Empty volume' },
          { value: 'image', label: 'Image', description: 'From an image' },
          { value: 'snapshot', label: 'Snapshot', description: 'Point in time' },
        ]}
      />
      <ListboxControl control={control} name="image" required items={images} />
      <ComboboxControl control={control} name="pool" required items={images} />
      <NumberControl control={control} name="size" units="GiB" required min={1} max={1023} />
      <TextControl
        control={control}
        name="address"
        label="IP address"
        mono
        validate={(text) => (text === '' ? undefined : validateIp(text))}
      />
      <CheckboxControl control={control} name="readOnly" label="Read only" />
    </SideModal>
  )
}
