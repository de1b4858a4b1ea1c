import { imageView } from '@purlin/contract/operations/images'
import { utilizationView } from '@purlin/contract/operations/silo'
import { limits } from '@purlin/contract/rules/limits'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import { load } from '../../../../../../api.ts'
import type { Disk } from '../../../../../../parts/disk/disks.tsx'
import { uploadOf } from '../../../../../../parts/disk/imports.ts'
import { lockedDisks, records } from '../../../../../../parts/disk/importsHere.ts'
import { ResourceForm } from '../../../../../../parts/ResourceForm.tsx'
import { guides } from '../../../../../../paths.ts'
import { ApiError, send, sendIfThere } from '../../../../../../send.ts'
import { DescriptionControl } from '../../../../../../ui/form/DescriptionControl.tsx'
import { FileControl } from '../../../../../../ui/form/FileControl.tsx'
import { NameControl } from '../../../../../../ui/form/NameControl.tsx'
import { RadioGroupControl } from '../../../../../../ui/form/RadioGroupControl.tsx'
import { TextControl } from '../../../../../../ui/form/TextControl.tsx'
import { ExternalLink } from '../../../../../../ui/link.tsx'
import { Notice } from '../../../../../../ui/Notice.tsx'
import { CancelDialog } from './CancelDialog.tsx'
import { Interrupted } from './Interrupted.tsx'
import { disksOf, findLeft, type Sought } from './left.ts'
import { Leftovers } from './Leftovers.tsx'
import { blockSizeDoubt, bootDoubts, inspect } from './inspect.ts'
import { ProgressDialog } from './ProgressDialog.tsx'
import { fileProblem, quotaProblem } from './rules.ts'
import { useUpload, type Wanted } from './useUpload.ts'

interface Values {
  name: string
  description: string
  os: string
  version: string
  blockSize: string
  imageFile: File | null
}
const empty: Values = {
  name: '',
  description: '',
  os: '',
  version: '',
  blockSize: String(limits.disk.blockSizes[0]),
  imageFile: null,
}
const blockSizes = limits.disk.blockSizes.map((size) => ({ value: String(size), label: String(size) }))
const blockSizeOf = (text: string): Wanted['blockSize'] =>
  limits.disk.blockSizes.find((size) => String(size) === text) ?? 512

export interface UploadFormProps {
  project: string
  /** A half-written disk that the person came to go on with. */
  resume: Disk | undefined
  submitDisabledReason: string | undefined
  onDone: () => void
  onDismiss: () => void
}

/** The form of a new image, and the upload that it starts. */
export function UploadForm({ project, resume, submitDisabledReason, onDone, onDismiss }: UploadFormProps) {
  const upload = useUpload()
  const form = useForm<Values>({ defaultValues: startWith(resume) })
  const { state, current } = upload
  // Its own disk is not one that was left, not even if it could not be removed.
  const own = current?.upload.diskName
  const isIdle = state === undefined || state.stage.at === 'over'
  const isKept = current?.upload.isKept === true && !upload.isShown
  const submit = async (values: Values): Promise<void> => {
    const { blockSize: size, imageFile: file, ...details } = values
    if (!file) return
    const blockSize = blockSizeOf(size)
    await checkName(project, details.name)
    const adopt = isKept ? undefined : await findAdoptable(project, { file, blockSize, resume, own })
    if (!isKept) await checkQuota(file.size, adopt !== undefined)
    if ((await upload.run(details, { project, file, blockSize, adopt })) === 'done') onDone()
  }
  return (
    <>
      <ResourceForm
        title="Upload image"
        submitLabel={isKept ? 'Create image' : 'Upload image'}
        form={form}
        onSubmit={submit}
        onDismiss={onDismiss}
        submitDisabledReason={submitDisabledReason}
      >
        {state?.stage.at === 'over' && <Leftovers leftovers={state.stage.leftovers} onTry={upload.on.tidy} />}
        {isKept ? (
          <Notice title="The file is uploaded">
            Only the image could not be created. Change its name or details and create it; the file is not
            sent again.
          </Notice>
        ) : (
          <Notice>
            Only raw images can be uploaded.{' '}
            <ExternalLink href={guides.imageRequirements.href}>How to prepare one</ExternalLink>
          </Notice>
        )}
        <Fields
          form={form}
          project={project}
          resume={resume}
          isKept={isKept}
          isIdle={isIdle}
          own={own}
          onOther={upload.forget}
        />
      </ResourceForm>
      {upload.isShown && state && current && (
        <ProgressDialog state={state} file={current.wanted.file} on={upload.on} />
      )}
      {upload.isAsking && <CancelDialog onStay={upload.stay} onCancel={upload.giveUp} />}
    </>
  )
}

function startWith(resume: Disk | undefined): Values {
  const image = resume && uploadOf(resume)?.image
  return image === undefined ? empty : { ...empty, name: image, blockSize: String(resume?.blockSize) }
}

/** The disk in which an upload of the file can go on, as things stand now. */
async function findAdoptable(project: string, sought: Sought & { file: File }): Promise<Disk | undefined> {
  const disks = await load(disksOf(project)).catch(() => [])
  const found = findLeft(disks, sought, { locked: await lockedDisks(), read: records.read })
  return found?.blockSize === sought.blockSize ? found : undefined
}

// Refusals before the first byte look like those of the server.
const refused = (status: number, message: string, code?: string): ApiError =>
  new ApiError('imageUpload', status, { message, code })

async function checkName(project: string, name: string): Promise<void> {
  if (await sendIfThere(imageView, { params: { image: name }, query: { project } }))
    throw refused(400, `already exists: image "${name}"`, 'ObjectAlreadyExists')
}

async function checkQuota(bytes: number, hasDisk: boolean): Promise<void> {
  // Whoever may not see the quota is told by the server.
  const utilization = await send(utilizationView, {}).catch(() => undefined)
  if (!utilization) return
  const left = utilization.capacity.storage - utilization.provisioned.storage
  const problem = quotaProblem(bytes, { left, hasDisk })
  if (problem !== undefined) throw refused(507, problem)
}

function Fields({
  form,
  project,
  resume,
  isKept,
  isIdle,
  own,
  onOther,
}: {
  form: UseFormReturn<Values>
  project: string
  resume: Disk | undefined
  isKept: boolean
  isIdle: boolean
  own: string | undefined
  /** Another file was chosen, or none. */
  onOther: () => void
}) {
  const { control } = form
  const [file, blockSizeText] = useWatch({ control, name: ['imageFile', 'blockSize'] })
  const blockSize = Number(blockSizeText)
  const finding = useFinding(file)
  const disks = useQuery({ ...disksOf(project), enabled: file !== null, throwOnError: false })
  const doubt = finding && blockSizeDoubt(finding, blockSize)
  const doubts = finding ? bootDoubts(finding) : []
  const check = () =>
    void (form.getValues('imageFile') ? form.trigger('imageFile') : form.clearErrors('imageFile'))
  const choose = () => {
    if (isKept) onOther()
    if (!form.formState.isSubmitted) check()
  }
  return (
    <>
      <NameControl name="name" control={control} />
      <DescriptionControl name="description" control={control} />
      <TextControl name="os" control={control} label="OS" required />
      <TextControl name="version" control={control} required />
      <RadioGroupControl
        name="blockSize"
        control={control}
        required
        units="Bytes"
        direction="row"
        options={blockSizes}
        disabledReason={isKept ? 'The file was uploaded with this block size' : undefined}
        onValue={check}
      />
      {doubt && <Notice title="Block size might be set incorrectly">{doubt}</Notice>}
      <FileControl
        name="imageFile"
        control={control}
        required
        validate={(chosen, values) => fileProblem(chosen, Number(values.blockSize))}
        onValue={choose}
      />
      {isIdle && <Interrupted project={project} disks={disks} sought={{ file, blockSize, resume, own }} />}
      {doubts.length > 0 && (
        <Notice title="This image might not be bootable">
          {doubts.map((one) => (
            <p key={one}>{one}</p>
          ))}
          <ExternalLink href={guides.imageRequirements.href}>How to prepare an image</ExternalLink>
        </Notice>
      )}
    </>
  )
}

function useFinding(file: File | null) {
  const { data } = useQuery({
    queryKey: ['inspect', file?.name, file?.size, file?.lastModified],
    queryFn: () => (file ? inspect(file) : null),
    enabled: file !== null,
    staleTime: Infinity,
    throwOnError: false,
  })
  return file ? (data ?? undefined) : undefined
}
