import Disc from 'lucide-react/icons/disc-3'
import HardDrive from 'lucide-react/icons/hard-drive'
import { type ReactNode, useId } from 'react'
import { useWatch } from 'react-hook-form'
import { formatSize } from '#/lib/format.ts'
import { diskSize, diskSizeProblem, leastGiB, sizeForSource } from '#/features/disks/body.ts'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { FieldError } from '#/ui/field/fieldParts.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { useField } from '#/ui/form/useField.ts'
import { LinkButton } from '#/ui/LinkButton.tsx'
import { sections } from '#/lib/addresses.ts'
import type { Image } from './data.ts'
import { hasNothingToBoot, type BootTab, type InstanceForm } from './form.ts'
import { FormSection } from './FormSection.tsx'
import { FormTabs } from './FormTabs.tsx'
import { QuotaPanel } from './QuotaPanel.tsx'
import { bootable, bootDiskProblem, bootNameProblem } from './rules.ts'
import type { SectionProps } from './sections.ts'
import { bootImageOf } from './toBody.ts'
import { Notice } from '#/ui/Notice.tsx'

const tabs = [
  { value: 'siloImage', label: 'Silo images' },
  { value: 'projectImage', label: 'Project images' },
  { value: 'disk', label: 'Existing disks' },
] as const satisfies readonly { value: BootTab; label: string }[]

export function BootDisk({ form, offers, project }: SectionProps) {
  const tab = useWatch({ control: form.control, name: 'boot' })
  const raiseSize = useSizeRaiser({ form, offers })
  const choose = (next: BootTab) => {
    form.clearErrors(['siloImage', 'projectImage', 'bootDisk', 'bootSizeGiB', 'bootName'])
    form.setValue('boot', next, { shouldDirty: true })
    raiseSize()
  }
  return (
    <FormSection
      title="Boot disk"
      hint="The disk that the instance boots from: a new disk made from an image, or an existing disk."
    >
      {hasNothingToBoot(offers) && (
        <Notice>There is nothing to boot from. Upload an image or create a disk first.</Notice>
      )}
      <FormTabs label="Boot disk source" tabs={tabs} value={tab} onChange={choose}>
        {tab === 'disk' ? (
          <ExistingDisk form={form} offers={offers} />
        ) : (
          <FromImage key={tab} form={form} offers={offers} project={project} tab={tab} />
        )}
      </FormTabs>
      <div className="min-[80rem]:hidden">
        <QuotaPanel form={form} of={['storage']} />
      </div>
    </FormSection>
  )
}

type PartProps = Pick<SectionProps, 'form' | 'offers'>

const chosenImage = ({ form, offers }: PartProps): Image | undefined => {
  const id = bootImageOf(form.getValues())
  return [...offers.siloImages, ...offers.projectImages].find((image) => image.id === id)
}

/** Raises the disk size to fit the image selected in the current tab. */
function useSizeRaiser({ form, offers }: PartProps): () => void {
  return () => {
    const image = chosenImage({ form, offers })
    if (!image) return
    const size = form.getValues('bootSizeGiB')
    form.setValue('bootSizeGiB', sizeForSource(size, image.size), {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    })
  }
}

const sources = {
  siloImage: {
    placeholder: 'Select a silo image',
    images: (offers: SectionProps['offers']) => offers.siloImages,
    empty: () => ({ title: 'No silo images found', body: 'Promote a project image to see it here' }),
  },
  projectImage: {
    placeholder: 'Select a project image',
    images: (offers: SectionProps['offers']) => offers.projectImages,
    empty: (project: string) => ({
      title: 'No project images found',
      body: 'Upload an image to see it here',
      action: <LinkButton href={sections.image.create(project)}>Upload image</LinkButton>,
    }),
  },
}

function FromImage({ form, offers, project, tab }: SectionProps & { tab: keyof typeof sources }) {
  const { control } = form
  const { placeholder, images, empty } = sources[tab]
  const list = images(offers)
  const id = useWatch({ control, name: tab })
  const image = list.find((one) => one.id === id)
  const raiseSize = useSizeRaiser({ form, offers })
  const sizeProblem = (size: number) => {
    const source = chosenImage({ form, offers })
    return diskSizeProblem(size, source && { noun: 'image', bytes: source.size })
  }
  if (list.length === 0)
    return <NothingToBoot form={form} name={tab} label="Image" icon={<Disc />} {...empty(project)} />
  return (
    <>
      <ComboboxControl
        name={tab}
        control={control}
        label="Image"
        required
        placeholder={placeholder}
        onValue={raiseSize}
        items={list.map(({ id: value, name, os, version, size }) => ({
          value,
          label: name,
          description: `${os} / ${version} / ${formatSize(size)}`,
        }))}
      />
      <div className="grid items-start gap-4 split:grid-cols-[10rem_minmax(0,1fr)]">
        <NumberControl
          name="bootSizeGiB"
          control={control}
          label="Disk size"
          units="GiB"
          required
          integer
          min={image ? leastGiB(image.size) : diskSize.min}
          max={diskSize.max}
          validate={sizeProblem}
        />
        <NameControl
          name="bootName"
          control={control}
          label="Disk name"
          required={false}
          placeholder="Generated if left blank"
          validate={(name, values) => bootNameProblem(name, values, offers.disks)}
        />
      </div>
    </>
  )
}

function ExistingDisk({ form, offers }: PartProps) {
  const added = useWatch({ control: form.control, name: 'disks' })
  const disks = offers.disks.filter(bootable)
  if (disks.length === 0)
    return (
      <NothingToBoot
        form={form}
        name="bootDisk"
        label="Disk"
        icon={<HardDrive />}
        title="No detached disks found"
        body="Only detached disks can be used as a boot disk"
      />
    )
  return (
    <ComboboxControl
      name="bootDisk"
      control={form.control}
      label="Disk"
      required
      placeholder="Select a disk"
      validate={bootDiskProblem}
      items={disks
        .filter(({ name }) => !bootDiskProblem(name, { disks: added }))
        .map(({ name, size }) => ({ value: name, label: name, description: formatSize(size) }))}
    />
  )
}

interface NothingProps extends Pick<SectionProps, 'form'> {
  name: 'siloImage' | 'projectImage' | 'bootDisk'
  label: string
  icon: ReactNode
  title: string
  body: string
  action?: ReactNode
}

/** A tab without anything to choose from; submitting it is an error. */
function NothingToBoot({ form, name, label, ...shown }: NothingProps) {
  const { bound } = useField<string, InstanceForm>({
    control: form.control,
    name,
    label,
    required: true,
    read: () => '',
  })
  const { error, ref } = bound
  const id = useId()
  return (
    <div ref={ref} tabIndex={-1} aria-describedby={id}>
      <EmptyState {...shown} />
      <FieldError id={id} error={error} />
    </div>
  )
}
