import type { Requests } from '#/api/request.ts'
import { GiB } from '@purlin/contract/rules/limits'
import type { ReactNode } from 'react'
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { ProtectionControl } from '#/resource/form/ProtectionControl.tsx'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { RadioCardsControl } from '#/ui/form/RadioCardsControl.tsx'
import { StorageHint } from '#/features/utilization/StorageLeft.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { kinds } from '#/resource/kinds.ts'
import { takenProblem } from '#/resource/list/namedRows.ts'
import { ResourceForm, type ResourceFormProps } from '#/resource/form/ResourceForm.tsx'
import {
  diskSize,
  diskSizeProblem,
  diskToBody,
  emptyDisk,
  sizeForSource,
  type DiskBody,
  type DiskFormValues,
} from './body.ts'
import { BlockSizeControl } from './BlockSizeControl.tsx'
import { useImages, useSnapshots, type DiskSources } from './sources.tsx'

export interface DiskFormProps {
  /** Where the disk will live; its snapshots and images are offered too. */
  project: string
  title?: string
  submitLabel?: string
  /** Under the title: what the disk is for. */
  resource?: ResourceFormProps<DiskFormValues>['resource']
  /** Takes the request: sends it, or collects it. What it throws is shown, and the form stays open. */
  onSubmit: (body: DiskBody) => unknown
  /** The requests that it sends; null if disks are collected. */
  request: ((body: DiskBody) => Requests) | null
  onDismiss: () => void
  /** Names that are taken where the disk goes, known without asking the server. */
  unavailableNames?: readonly string[]
  /** Asks the server before the form is taken whether the project has a disk of the name. */
  checksName?: boolean
  animate?: boolean
  /** The initial values of the form, and a note about them. */
  filled?: { values: DiskFormValues; note?: string } | undefined
  /** Why nothing can be sent now. */
  submitDisabledReason?: ReactNode
  /** bytes of storage that are spoken for already, by what will be made together with the disk */
  planned?: number
}

/** The form of a new disk in a side modal. */
export function DiskForm(props: DiskFormProps) {
  const {
    project,
    title = 'Create disk',
    submitLabel = title,
    onSubmit,
    request,
    onDismiss,
    unavailableNames = [],
  } = props
  const form = useForm<DiskFormValues>({ defaultValues: props.filled?.values ?? emptyDisk })
  const { control } = form
  const [source, snapshot, image] = useWatch({ control, name: ['source', 'snapshot', 'image'] })
  const made = {
    snapshot: useSnapshots(project, { value: snapshot, enabled: source === 'snapshot' }),
    image: useImages(project, { value: image, enabled: source === 'image' }),
  }
  const sizeProblem = (size: number, values: DiskFormValues) => {
    if (values.source === 'blank') return diskSizeProblem(size)
    const noun = values.source
    const bytes = made[noun].sizeOf(values[noun])
    return diskSizeProblem(size, bytes === undefined ? undefined : { noun, bytes })
  }
  return (
    <ResourceForm
      title={title}
      submitLabel={submitLabel}
      resource={props.resource}
      form={form}
      draft={request ? 'disk' : undefined}
      animate={props.animate ?? false}
      submitDisabledReason={props.submitDisabledReason}
      onSubmit={async (values) => onSubmit(diskToBody(values))}
      request={request && ((values) => request(diskToBody(values)))}
      onDismiss={onDismiss}
    >
      {props.filled?.note && <Notice>{props.filled.note}</Notice>}
      <NameControl
        name="name"
        control={control}
        validate={(name) => {
          if (unavailableNames.includes(name)) return 'Name is already in use'
          return props.checksName ? takenProblem(kinds.disk.list, { project }, name) : undefined
        }}
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
          else form.setValue(chosen === 'image' ? 'image' : 'snapshot', '')
        }}
      />
      {source === 'blank' ? (
        <BlockSizeControl control={control} />
      ) : (
        <SourceControl key={source} form={form} kind={source} from={made[source]} />
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
        hint={<StorageOfDisk form={form} planned={props.planned ?? 0} />}
      />
      <ProtectionControl control={control} />
    </ResourceForm>
  )
}

/** How much storage is left for the disk. */
function StorageOfDisk({ form, planned }: { form: UseFormReturn<DiskFormValues>; planned: number }) {
  const size = useWatch({ control: form.control, name: 'size' })
  return <StorageHint needed={size * GiB} planned={planned} refusal="The disk cannot be created." />
}

const sources = [
  { value: 'blank', label: 'Blank', description: 'An empty volume' },
  { value: 'snapshot', label: 'Snapshot', description: 'A disk as it was' },
  { value: 'image', label: 'Image', description: 'A copy of an image' },
]

/** Chooses what the disk is made from. A source too large for the disk raises its size. */
function SourceControl({
  form,
  kind,
  from,
}: {
  form: UseFormReturn<DiskFormValues>
  kind: 'snapshot' | 'image'
  from: DiskSources
}) {
  const choose = (id: string) => {
    const bytes = from.sizeOf(id)
    if (bytes === undefined) return
    const size = form.getValues('size')
    const needed = sizeForSource(size, bytes)
    if (needed !== size)
      form.setValue('size', needed, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }
  return (
    <ComboboxControl
      name={kind}
      control={form.control}
      label={`Source ${kind}`}
      required
      placeholder={kind === 'image' ? 'Select an image' : 'Select a snapshot'}
      hint={from.problem}
      onValue={choose}
      {...from.field}
    />
  )
}
