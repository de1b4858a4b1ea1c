import { imageImportCreate } from '@purlin/contract/operations/storage/image-imports'
import { imageCreate } from '@purlin/contract/operations/storage/images'
import { limits } from '@purlin/contract/rules/limits'
import { useRef, useState } from 'react'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import { send } from '#/api/send.ts'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { textRules } from '#/resource/form/textRules.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { FileControl } from '#/ui/form/FileControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { ProgressBar } from '#/ui/feedback/ProgressBar.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { detailsOf, digestProblem, empty, fileProblem, toBody, urlProblem, type Values } from './body.ts'
import { cloudImages } from './cloudImages.ts'
import { cancelImport, sendFile } from './sendFile.ts'

const known = cloudImages.map(({ name, title }) => ({ value: name, label: title }))
const blockSizes = limits.disk.blockSizes.map((size) => ({ value: String(size), label: String(size) }))
const sources = [
  { value: 'url', label: 'Address' },
  { value: 'file', label: 'File on this computer' },
]

interface ImportFormProps {
  project: string
  submitDisabledReason: string | undefined
  onClose: () => void
}

/** The form that imports an image: the server fetches it, or the page sends it. */
export function ImportForm({ project, submitDisabledReason, onClose }: ImportFormProps) {
  const form = useForm<Values>({ defaultValues: empty })
  const [percent, setPercent] = useState<number>()
  const sending = useRef(new AbortController())
  const submit = async (values: Values) => {
    const { id, name } = await send(imageImportCreate, { query: { project }, body: toBody(values) })
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
      onSubmit={submit}
      onDismiss={dismiss}
      submitDisabledReason={submitDisabledReason}
    >
      <Fields form={form} />
      {percent !== undefined && <ProgressBar label="Upload" percent={percent} />}
    </ResourceForm>
  )
}

const forms = 'Raw, ISO, qcow2, VMDK or VDI; raw also compressed with gzip, xz or zstd'

function Fields({ form }: { form: UseFormReturn<Values> }) {
  const { control, setValue } = form
  const from = useWatch({ control, name: 'from' })
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
          validate={fileProblem}
        />
      )}
      <NameControl name="name" control={control} />
      <DescriptionControl name="description" control={control} />
      <TextControl name="os" control={control} label="OS" {...textRules(imageCreate, 'os')} />
      <TextControl name="version" control={control} {...textRules(imageCreate, 'version')} />
      <RadioGroupControl
        name="blockSize"
        control={control}
        required
        units="Bytes"
        direction="row"
        options={blockSizes}
      />
      <TextControl
        name="sha256"
        control={control}
        label="SHA-256 of the file"
        hint="The import fails if the file has another one."
        validate={digestProblem}
      />
    </>
  )
}
