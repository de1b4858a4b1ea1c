import { imageImportAppend, imageImportCreate } from '@purlin/contract/operations/storage/image-imports'
import { importLimits } from '@purlin/contract/rules/images/imports'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import { load } from '#/api/query.ts'
import { requestTo, sendRequest, type Requests } from '#/api/request.ts'
import { formatSize } from '#/lib/format.ts'
import { utilizationQuery } from '#/features/utilization/quota.ts'
import { StorageLeft } from '#/features/utilization/StorageLeft.tsx'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { FileControl } from '#/ui/form/FileControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { ProgressBar } from '#/ui/feedback/ProgressBar.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { ImageFields } from '../ImageFields.tsx'
import {
  detailsOf,
  digestProblem,
  empty,
  fileProblem,
  storageFor,
  toBody,
  urlProblem,
  type Values,
} from './body.ts'
import { cloudImages } from './cloudImages.ts'
import { cancelImport, sendFile } from './sendFile.ts'

const known = cloudImages.map(({ name, title }) => ({ value: name, label: title }))
const sources = [
  { value: 'url', label: 'Address' },
  { value: 'file', label: 'File on this computer' },
]

interface ImportFormProps {
  project: string
  submitDisabledReason: string | undefined
  onClose: () => void
  animate?: boolean
}

const creationIn = (project: string, values: Values) =>
  requestTo(imageImportCreate, { query: { project }, body: toBody(values) })

/** The requests of a filled form: a file is sent in parts. */
function requestsIn(project: string, values: Values): Requests {
  const creation = creationIn(project, values)
  const { from, file, name } = values
  if (from === 'url' || !file) return creation
  const params = { imageImport: name }
  const part = requestTo(imageImportAppend, { params, query: { project, offset: 0 }, body: new Uint8Array() })
  if (file.size <= importLimits.part) return [creation, part]
  const note = `The file has more than ${formatSize(importLimits.part)}: it is sent in parts of at most that size, each with its offset.`
  return [creation, { ...part, note }]
}

/** The form that imports an image: the server fetches it, or the page sends it. */
export function ImportForm({ project, submitDisabledReason, onClose, animate = false }: ImportFormProps) {
  const form = useForm<Values>({ defaultValues: empty })
  const [percent, setPercent] = useState<number>()
  const sending = useRef(new AbortController())
  const submit = async (values: Values) => {
    const { id, name } = await sendRequest(creationIn(project, values))
    const { from, file } = values
    if (from === 'file' && file) {
      const { signal } = sending.current
      const onProgress = (received: number) => setPercent(Math.floor((100 * received) / file.size))
      await sendFile({ id, file, signal, onProgress })
        .catch(async (error: unknown) => {
          await cancelImport(id).catch(() => undefined)
          throw error
        })
        .finally(() => setPercent(undefined))
    } else addToast({ content: `The server fetches image ${name}.` })
    onClose()
  }
  const dismiss = () => {
    sending.current.abort()
    onClose()
  }
  return (
    <ResourceForm
      title="Import image"
      form={form}
      draft="imageImport"
      onSubmit={submit}
      request={(values) => requestsIn(project, values)}
      onDismiss={dismiss}
      submitDisabledReason={submitDisabledReason}
      animate={animate}
    >
      <Fields form={form} />
      {percent !== undefined && <ProgressBar label="Upload" percent={percent} />}
    </ResourceForm>
  )
}

// Users who may not read the quota get the error from the server.
const loadUtilization = () => load({ ...utilizationQuery(), staleTime: 0 }).catch(() => undefined)

const forms = 'Raw, ISO, qcow2, VMDK or VDI; raw also compressed with gzip, xz or zstd'

function Fields({ form }: { form: UseFormReturn<Values> }) {
  const { control, setValue } = form
  const [from, file] = useWatch({ control, name: ['from', 'file'] })
  // A file that cannot become an image, or does not fit, is named as soon as it is chosen.
  const check = () => void (form.getValues('file') ? form.trigger('file') : form.clearErrors('file'))
  const fill = (image: string) => {
    const details = detailsOf(image)
    if (!details) return
    for (const field of ['name', 'os', 'version', 'url'] as const)
      setValue(field, details[field], { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }
  return (
    <>
      <RadioGroupControl
        name="from"
        control={control}
        label="Source"
        direction="row"
        options={sources}
        required
      />
      {from === 'url' ? (
        <>
          <ListboxControl
            name="known"
            control={control}
            label="Cloud image"
            hint="Fills in the address that its publisher keeps for the latest build."
            items={known}
            placeholder="Choose one, or enter another address below"
            onValue={fill}
          />
          <TextControl
            name="url"
            control={control}
            label="Address"
            hint={forms}
            required
            validate={urlProblem}
          />
        </>
      ) : (
        <FileControl
          name="file"
          control={control}
          label="File"
          hint={forms}
          required
          validate={(chosen) => fileProblem(chosen, loadUtilization)}
          onValue={check}
        />
      )}
      <ImageFields control={control} />
      <TextControl
        name="sha256"
        control={control}
        label="SHA-256 of the file"
        hint="The import fails if the file has another one."
        validate={digestProblem}
      />
      <StorageOfImport file={from === 'file' ? file : null} />
    </>
  )
}

/** The free storage, and how much of it a file needs. */
function StorageOfImport({ file }: { file: File | null }) {
  const { data } = useQuery({
    queryKey: ['storage for', file?.name, file?.size, file?.lastModified],
    queryFn: async () => (file && (await storageFor(file))) ?? null,
    enabled: file !== null,
    staleTime: Infinity,
    throwOnError: false,
  })
  return <StorageLeft needed={(file && data) ?? undefined} />
}
