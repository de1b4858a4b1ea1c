import { imageView } from '@purlin/contract/operations/storage/images'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import { load } from '#/api/query.ts'
import type { Requests } from '#/api/request.ts'
import { blockSizeOf } from '#/features/disks/body.ts'
import type { Disk } from '#/features/disks/disks.tsx'
import { uploadOf } from '#/features/disks/imports/imports.ts'
import { lockedDisks, records } from '#/features/disks/imports/uploadRecords.ts'
import { utilizationQuery } from '#/features/utilization/quota.ts'
import { StorageLeft } from '#/features/utilization/StorageLeft.tsx'
import { notSent } from '#/resource/form/drafts/useDraft.tsx'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { guides, paths } from '#/lib/addresses.ts'
import { NameTakenError } from '#/api/errors.ts'
import { sendIfThere } from '#/api/send.ts'
import { FileControl } from '#/ui/form/FileControl.tsx'
import { ExternalLink, TextLink } from '#/ui/button/link.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { withKept } from '#/resource/form/tags.ts'
import type { Details } from './transfer/calls.ts'
import { emptyImage, ImageFields, type ImageDetails } from '../ImageFields.tsx'
import { CancelDialog } from './CancelDialog.tsx'
import { Interrupted } from './Interrupted.tsx'
import { disksOf, findResumable, isUploadOf, type ResumeSearch } from './transfer/resumable.ts'
import { Leftovers } from './Leftovers.tsx'
import { blockSizeWarning, bootWarnings, inspect } from './transfer/imageFile.ts'
import { ProgressDialog } from './ProgressDialog.tsx'
import { fileProblem, quotaProblem, storageOf } from './rules.ts'
import { useUpload } from './useUpload.ts'

interface Values extends ImageDetails {
  imageFile: File | null
}
const empty: Values = { ...emptyImage, imageFile: null }

export interface UploadFormProps {
  project: string
  /** The disk of an interrupted upload that the user wants to resume. */
  resume: Disk | undefined
  submitDisabledReason: string | undefined
  onDone: () => void
  onDismiss: () => void
}

/** The form of a new image with the upload that it starts. */
export function UploadForm({ project, resume, submitDisabledReason, onDone, onDismiss }: UploadFormProps) {
  const upload = useUpload()
  const form = useForm<Values>({ defaultValues: defaultsOf(resume) })
  const { state, current } = upload
  // The form's own disk is not offered to resume, even if it could not be removed.
  const own = current?.upload.diskName
  const isIdle = state === undefined || state.stage.at === 'cancelled'
  const isFileUploaded = current?.upload.isFileUploaded === true && !upload.isShown
  const submit = async (values: Values): Promise<unknown> => {
    const { blockSize: size, imageFile: file, name, description, os, version } = values
    const details = withKept<Details>({ name, description, os, version }, values)
    if (!file) return notSent
    const blockSize = blockSizeOf(size)
    await checkName(project, details.name)
    const resumeDisk = isFileUploaded
      ? undefined
      : await findResumeDisk(project, { file, blockSize, resume, own })
    if ((await upload.run(details, { project, file, blockSize, resumeDisk })) !== 'done') return notSent
    onDone()
    return undefined
  }
  return (
    <>
      <ResourceForm
        title="Upload image"
        submitLabel={isFileUploaded ? 'Create image' : 'Upload image'}
        form={form}
        draft={resume ? undefined : 'imageUpload'}
        onSubmit={submit}
        request={(values) => procedureOf(project, values)}
        onDismiss={onDismiss}
        submitDisabledReason={submitDisabledReason}
      >
        {state?.stage.at === 'cancelled' && (
          <Leftovers leftovers={state.stage.leftovers} onRetry={upload.on.removeLeftovers} />
        )}
        {isFileUploaded ? (
          <Notice title="The file is uploaded">
            Only creating the image has failed. Change its name or details and try again. The file is not
            uploaded again.
          </Notice>
        ) : (
          <Notice>
            Only raw images can be uploaded here.{' '}
            <TextLink href={paths.imageImport(project)}>Import a file of another form</TextLink>, such as
            qcow2, or let the server fetch it.{' '}
            <ExternalLink href={guides.imageRequirements.href}>How to prepare an image</ExternalLink>
          </Notice>
        )}
        <Fields
          form={form}
          project={project}
          resume={resume}
          isFileUploaded={isFileUploaded}
          isIdle={isIdle}
          own={own}
          onFileChange={upload.dismiss}
        />
      </ResourceForm>
      {upload.isShown && state && current && (
        <ProgressDialog state={state} file={current.plan.file} on={upload.on} />
      )}
      {upload.isAsking && <CancelDialog onStay={upload.stay} onCancel={upload.cancel} />}
    </>
  )
}

/** The command that uploads a file as the form does, over a disk and a snapshot. */
function procedureOf(project: string, { blockSize, ...values }: Values): Requests {
  const { name, description, os, version } = values
  const { tags } = withKept<Details>({ name, description, os, version }, values)
  const flags = {
    project,
    name,
    description,
    os,
    version,
    ...(tags ? { tags: JSON.stringify(tags) } : {}),
    ...(values.protected ? { protected: 'true' } : {}),
    'block-size': blockSize,
    file: 'FILE',
  }
  const given = Object.entries(flags).filter(([, value]) => value !== '')
  const note = 'The file is sent to a new disk in many requests; an image is made of a snapshot of the disk.'
  return { words: ['image', 'upload', ...given.map(([flag, value]) => `--${flag}=${value}`)], note }
}

function defaultsOf(resume: Disk | undefined): Values {
  const image = resume && uploadOf(resume)?.image
  return image === undefined ? empty : { ...empty, name: image, blockSize: String(resume?.blockSize) }
}

/** The disk with which an upload of the file can be resumed now. */
async function findResumeDisk(
  project: string,
  search: ResumeSearch & { file: File },
): Promise<Disk | undefined> {
  const disks = await load(disksOf(project)).catch(() => [])
  const found = findResumable(disks, search, { locked: await lockedDisks(), read: records.read })
  return found?.blockSize === search.blockSize ? found : undefined
}

async function checkName(project: string, name: string): Promise<void> {
  if (await sendIfThere(imageView, { params: { image: name }, query: { project } }))
    throw new NameTakenError('image')
}

/** Why a file does not fit in what the quota leaves, or undefined. */
async function spaceProblem(
  project: string,
  search: ResumeSearch & { file: File },
): Promise<string | undefined> {
  const hasDisk = (await findResumeDisk(project, search)) !== undefined
  // Users who may not read the quota get the error from the server.
  const utilization = await load({ ...utilizationQuery(), staleTime: 0 }).catch(() => undefined)
  return utilization && quotaProblem(search.file.size, { utilization, hasDisk })
}

function Fields({
  form,
  project,
  resume,
  isFileUploaded,
  isIdle,
  own,
  onFileChange,
}: {
  form: UseFormReturn<Values>
  project: string
  resume: Disk | undefined
  isFileUploaded: boolean
  isIdle: boolean
  own: string | undefined
  /** Called when the file is changed or cleared. */
  onFileChange: () => void
}) {
  const { control } = form
  const [file, blockSizeText] = useWatch({ control, name: ['imageFile', 'blockSize'] })
  const blockSize = Number(blockSizeText)
  const findings = useFindings(file)
  const disks = useQuery({ ...disksOf(project), enabled: file !== null, throwOnError: false })
  const blockSizeProblem = findings && blockSizeWarning(findings, blockSize)
  const warnings = findings ? bootWarnings(findings) : []
  const hasDisk = file !== null && (disks.data?.some((disk) => isUploadOf(disk, file)) ?? false)
  const check = () =>
    void (form.getValues('imageFile') ? form.trigger('imageFile') : form.clearErrors('imageFile'))
  const problemOf = async (chosen: File | null, values: Values) => {
    const problem = fileProblem(chosen, Number(values.blockSize))
    if (problem !== undefined || !chosen || isFileUploaded) return problem
    return spaceProblem(project, { file: chosen, blockSize: blockSizeOf(values.blockSize), resume, own })
  }
  const choose = () => {
    if (isFileUploaded) onFileChange()
    if (!form.formState.isSubmitted) check()
  }
  return (
    <>
      <ImageFields
        control={control}
        blockSizeReason={isFileUploaded ? 'The file was uploaded with this block size' : undefined}
        onBlockSize={check}
      />
      <FileControl name="imageFile" control={control} required validate={problemOf} onValue={choose} />
      {/* Below the file, which stays where it was chosen. */}
      {blockSizeProblem && <Notice title="Block size might be set incorrectly">{blockSizeProblem}</Notice>}
      {!isFileUploaded && <StorageLeft needed={file ? storageOf(file.size, { hasDisk }) : undefined} />}
      {isIdle && <Interrupted project={project} disks={disks} search={{ file, blockSize, resume, own }} />}
      {warnings.length > 0 && (
        <Notice title="This image might not be bootable">
          {warnings.map((one) => (
            <p key={one}>{one}</p>
          ))}
          {findings?.doubt !== undefined && (
            <TextLink href={paths.imageImport(project)}>Import image</TextLink>
          )}{' '}
          <ExternalLink href={guides.imageRequirements.href}>How to prepare an image</ExternalLink>
        </Notice>
      )}
    </>
  )
}

function useFindings(file: File | null) {
  const { data } = useQuery({
    queryKey: ['inspect', file?.name, file?.size, file?.lastModified],
    queryFn: () => (file ? inspect(file) : null),
    enabled: file !== null,
    staleTime: Infinity,
    throwOnError: false,
  })
  return file ? (data ?? undefined) : undefined
}
