import { imageList } from '@purlin/contract/operations/images'
import type { Result } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { query } from '../../api.ts'
import { errorMessage } from '../../send.ts'
import { formatSize } from '../../lib/format.ts'
import { DescriptionControl } from '../../ui/form/DescriptionControl.tsx'
import { ListboxControl } from '../../ui/form/ListboxControl.tsx'
import { NameControl } from '../../ui/form/NameControl.tsx'
import { NumberControl } from '../../ui/form/NumberControl.tsx'
import { RadioCardsControl } from '../../ui/form/RadioCardsControl.tsx'
import { RadioGroupControl } from '../../ui/form/RadioGroupControl.tsx'
import { pickerLimit } from '../paging.ts'
import { ResourceForm } from '../ResourceForm.tsx'
import {
  diskSize,
  diskSizeProblem,
  diskToBody,
  emptyDisk,
  sizeForSource,
  type DiskBody,
  type DiskFormValues,
} from './diskBody.ts'

export interface DiskFormProps {
  /** Where the disk will live; its images are offered too. */
  project: string
  title?: string
  submitLabel?: string
  /** Under the title: what the disk is for. */
  resource?: ReactNode
  /** Takes the request: sends it, or collects it. What it throws is shown, and the form stays open. */
  onSubmit: (body: DiskBody) => unknown
  onDismiss: () => void
  /** Names that are taken where the disk goes, known without asking the server. */
  unavailableNames?: readonly string[]
  animate?: boolean
  /** Why nothing can be sent now. */
  submitDisabledReason?: ReactNode
}

/** The form of a new disk in a side modal. */
export function DiskForm(props: DiskFormProps) {
  const {
    project,
    title = 'Create disk',
    submitLabel = title,
    onSubmit,
    onDismiss,
    unavailableNames = [],
  } = props
  const form = useForm<DiskFormValues>({ defaultValues: emptyDisk })
  const images = useImages(project)
  const { control } = form
  const source = useWatch({ control, name: 'source' })
  const sizeProblem = (size: number, values: DiskFormValues) => {
    const bytes = values.source === 'image' ? images.sizeOf(values.image) : undefined
    return diskSizeProblem(size, bytes === undefined ? undefined : { noun: 'image', bytes })
  }
  return (
    <ResourceForm
      title={title}
      submitLabel={submitLabel}
      resource={props.resource}
      form={form}
      animate={props.animate ?? false}
      submitDisabledReason={props.submitDisabledReason}
      onSubmit={async (values) => onSubmit(diskToBody(values))}
      onDismiss={onDismiss}
    >
      <NameControl
        name="name"
        control={control}
        validate={(name) => (unavailableNames.includes(name) ? 'Name is already in use' : undefined)}
      />
      <DescriptionControl name="description" control={control} />
      <RadioCardsControl
        name="source"
        control={control}
        required
        columns={sources.length}
        options={sources}
        // The other source starts afresh, so that nothing hidden is sent or checked.
        onValue={(chosen) => {
          if (chosen === 'blank') form.setValue('blockSize', emptyDisk.blockSize)
          else form.setValue('image', '')
        }}
      />
      {source === 'blank' ? (
        <RadioGroupControl
          name="blockSize"
          control={control}
          required
          units="Bytes"
          direction="row"
          options={blockSizes}
        />
      ) : (
        <ImageControl form={form} images={images} />
      )}
      <NumberControl
        name="size"
        control={control}
        required
        units="GiB"
        integer
        min={diskSize.min}
        max={diskSize.max}
        validate={sizeProblem}
      />
    </ResourceForm>
  )
}

const sources = [
  { value: 'blank', label: 'Blank', description: 'An empty volume' },
  { value: 'image', label: 'Image', description: 'A copy of an image' },
]
const blockSizes = limits.disk.blockSizes.map((size) => ({ value: String(size), label: String(size) }))

function ImageControl({
  form,
  images,
}: {
  form: UseFormReturn<DiskFormValues>
  images: ReturnType<typeof useImages>
}) {
  const choose = (id: string) => {
    const bytes = images.sizeOf(id)
    if (bytes === undefined) return
    const size = form.getValues('size')
    const needed = sizeForSource(size, bytes)
    if (needed !== size)
      form.setValue('size', needed, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }
  return (
    <ListboxControl
      name="image"
      control={form.control}
      label="Source image"
      required
      placeholder="Select an image"
      items={images.choices}
      loading={images.isPending}
      hint={images.problem}
      onValue={choose}
    />
  )
}

type Image = Result<typeof imageList>['items'][number]
const choiceOf = (image: Image) => ({
  value: image.id,
  label: image.name,
  description: `${image.os} / ${image.version} / ${formatSize(image.size)} / ${image.projectId ? 'Project' : 'Silo'} image`,
})

/** The images a disk of the project may be made from, its own first. They are asked for when the form opens. */
function useImages(project: string) {
  const own = useQuery(query(imageList, { query: { project, limit: pickerLimit } }))
  const shared = useQuery(query(imageList, { query: { limit: pickerLimit } }))
  const all = [...(own.data?.items ?? []), ...(shared.data?.items ?? [])]
  const isPending = own.isPending || shared.isPending
  const error = own.error ?? shared.error
  const retry = () => {
    if (own.error) void own.refetch()
    if (shared.error) void shared.refetch()
  }
  const problem = error ? (
    <>
      Not all images could be read: {errorMessage(error)}.{' '}
      <button type="button" onClick={retry} className="text-accent-text underline underline-offset-2">
        Try again
      </button>
    </>
  ) : !isPending && all.length === 0 ? (
    'There are no images in this project or silo yet'
  ) : undefined
  return {
    choices: all.map(choiceOf),
    isPending,
    problem,
    sizeOf: (id: string): number | undefined => all.find((image) => image.id === id)?.size,
  }
}
