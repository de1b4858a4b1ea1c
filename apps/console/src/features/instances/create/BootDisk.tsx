import Disc from 'lucide-react/icons/disc-3'
import HardDrive from 'lucide-react/icons/hard-drive'
import { type ReactNode, useId } from 'react'
import { useWatch } from 'react-hook-form'
import { formatSize } from '#/lib/format.ts'
import { sizeForSource } from '#/features/disks/body.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { FieldError } from '#/ui/field/fieldParts.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { useField } from '#/ui/form/useField.ts'
import { diskCan, diskStates } from '@purlin/contract/rules/states'
import { remember } from '#/api/query.ts'
import { kinds } from '#/resource/kinds.ts'
import { inStates, usePicker } from '#/resource/form/usePicker.ts'
import type { Image } from './values/data.ts'
import { hasNoImage, type BootTab } from './values/form.ts'
import { lazily } from '#/lib/lazily.tsx'
import { BootHint, PromoteHint } from './bootHints.tsx'
import { NewBootDisk } from './NewBootDisk.tsx'
import { FormSection } from './FormSection.tsx'
import { FormTabs } from './FormTabs.tsx'
import { QuotaPanel } from './QuotaPanel.tsx'
import { bootable, bootDiskProblem } from './values/rules.ts'
import type { SectionProps } from './values/sections.ts'

const ImportImage = lazily(() => import('#/features/images/import/MissingImage.tsx'), 'ImportImage')
const FromSnapshot = lazily(() => import('./FromSnapshot.tsx'), 'FromSnapshot')

const tabs = [
  { value: 'siloImage', label: 'Silo images' },
  { value: 'projectImage', label: 'Project images' },
  { value: 'disk', label: 'Existing disks' },
] as const satisfies readonly { value: BootTab; label: string }[]
/** Offered where the instance that is cloned was made from one. */
const snapshotTab = { value: 'bootSnapshot', label: 'Snapshots' } as const

export function BootDisk({ form, offers, project }: SectionProps) {
  const { control } = form
  const [tab, siloImage, projectImage] = useWatch({ control, name: ['boot', 'siloImage', 'projectImage'] })
  const images = {
    siloImage: usePicker(kinds.image, { ...imageLines, scope: {}, value: siloImage }),
    projectImage: usePicker(kinds.image, { ...imageLines, scope: { project }, value: projectImage }),
  }
  const raiseSize = (image: Image | undefined) => {
    if (!image) return
    // Its name is needed when the form is sent.
    remember(kinds.image.view, { params: { image: image.id }, query: {} }, image)
    form.setValue('bootSizeGiB', sizeForSource(form.getValues('bootSizeGiB'), image.size), {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    })
  }
  const choose = (next: BootTab) => {
    form.clearErrors(['siloImage', 'projectImage', 'bootSnapshot', 'bootDisk', 'bootSizeGiB', 'bootName'])
    form.setValue('boot', next, { shouldDirty: true })
    if (next === 'siloImage' || next === 'projectImage') raiseSize(images[next].chosen)
  }
  const hasSnapshot = form.formState.defaultValues?.bootSnapshot
  return (
    <FormSection
      title="Boot disk"
      hint="The disk that the instance boots from: a new disk made from an image, or an existing disk."
    >
      <FormTabs
        label="Boot disk source"
        tabs={hasSnapshot ? [...tabs, snapshotTab] : tabs}
        value={tab}
        onChange={choose}
      >
        {tab === 'disk' ? (
          <ExistingDisk form={form} offers={offers} project={project} />
        ) : tab === 'bootSnapshot' ? (
          <FromSnapshot form={form} project={project} />
        ) : (
          <FromImage
            key={tab}
            form={form}
            project={project}
            tab={tab}
            images={images[tab]}
            onImage={raiseSize}
          />
        )}
      </FormTabs>
      <div className="min-[80rem]:hidden">
        <QuotaPanel form={form} of={['storage']} />
      </div>
    </FormSection>
  )
}

const imageLines = {
  by: 'id' as const,
  choice: ({ os, version, size }: Image) => ({ description: `${os} / ${version} / ${formatSize(size)}` }),
}

const sources = {
  siloImage: {
    placeholder: 'Select a silo image',
    empty: () => ({ title: 'No silo images found', body: <PromoteHint /> }),
  },
  projectImage: {
    placeholder: 'Select a project image',
    empty: (props: { project: string }) => ({
      title: 'No project images found',
      body: 'New instances boot from images. Import one: this form keeps its values.',
      action: <ImportImage {...props} />,
    }),
  },
}

interface FromImageProps extends Pick<SectionProps, 'form' | 'project'> {
  tab: keyof typeof sources
  images: ReturnType<typeof usePicker<typeof kinds.image.list>>
  onImage: (image: Image | undefined) => void
}

function FromImage({ form, project, tab, images, onImage }: FromImageProps) {
  const { control } = form
  const { placeholder, empty } = sources[tab]
  const image = images.chosen
  if (images.isEmpty)
    return <NothingToBoot form={form} name={tab} label="Image" icon={<Disc />} {...empty({ project })} />
  return (
    <>
      <ComboboxControl
        name={tab}
        control={control}
        label="Image"
        required
        placeholder={placeholder}
        hint={images.problem}
        onValue={(id) => onImage(images.rows.find((one) => one.id === id))}
        {...images.field}
      />
      <NewBootDisk form={form} project={project} source={image && { noun: 'image', bytes: image.size }} />
    </>
  )
}

const attachable = inStates(diskStates, (state) => diskCan('attach', state))

function ExistingDisk({ form, offers, project }: SectionProps) {
  const { control } = form
  const [added, value] = useWatch({ control, name: ['disks', 'bootDisk'] })
  const disks = usePicker(kinds.disk, {
    scope: { project },
    value,
    by: 'name',
    filter: attachable,
    fits: bootable,
    except: added.flatMap((row) => (row.type === 'attach' ? [row.name] : [])),
    choice: ({ size }) => ({ description: formatSize(size) }),
  })
  if (disks.isEmpty && added.length === 0)
    return (
      <>
        {hasNoImage(offers) && <BootHint project={project} />}
        <NothingToBoot
          form={form}
          name="bootDisk"
          label="Disk"
          icon={<HardDrive />}
          title="No detached disks found"
          body="Only detached disks can be used as a boot disk"
        />
      </>
    )
  return (
    <ComboboxControl
      name="bootDisk"
      control={control}
      label="Disk"
      required
      placeholder="Select a disk"
      hint={disks.problem}
      validate={bootDiskProblem}
      {...disks.field}
    />
  )
}

interface NothingProps extends Pick<SectionProps, 'form'> {
  name: 'siloImage' | 'projectImage' | 'bootDisk'
  label: string
  icon: ReactNode
  title: string
  body: ReactNode
  action?: ReactNode
}

/** A tab without anything to choose from; submitting it is an error. */
function NothingToBoot({ form, name, label, ...shown }: NothingProps) {
  const { error, ref } = useField({ control: form.control, name, label, required: true }, () => '')
  const id = useId()
  return (
    <div ref={ref} tabIndex={-1} aria-describedby={id}>
      <EmptyState {...shown} />
      <FieldError id={id} error={error} />
    </div>
  )
}
