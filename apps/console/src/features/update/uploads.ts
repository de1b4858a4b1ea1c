/** Uploads of repositories from this tab, in parts. They go on while other pages are shown. */
import {
  systemUpdateUploadAppend,
  systemUpdateUploadCreate,
  systemUpdateUploadDelete,
  systemUpdateUploadFinish,
  systemUpdateUploadView,
} from '@purlin/contract/operations/updates/repositories'
import { limits } from '@purlin/contract/rules/limits'
import { errorMessage } from '#/api/errors.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { send } from '#/api/send.ts'
import { createStore } from '#/lib/store.ts'
import { keptList } from '#/resource/kept.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { reloadUploads, type Upload } from './queries.ts'

/** `failed`: the connection broke, and it can be resumed. */
type State = 'sending' | 'verifying' | 'paused' | 'failed'
/** An upload whose file this tab has. */
export interface LocalUpload {
  id: string
  file: File
  offset: number
  state: State
  reason?: string
}

/** A repository that was refused, and the whole reason. */
export interface Refusal {
  id: string
  fileName: string
  reason: string
}
const mostRefusals = 10
const isRefusal = (kept: unknown): kept is Refusal =>
  typeof kept === 'object' &&
  kept !== null &&
  ['id', 'fileName', 'reason'].every((key) => typeof Reflect.get(kept, key) === 'string')
/** Those that the user has not dismissed, the newest first. The server does not keep them; the browser does. */
export const refusalStore = keptList('refusals', mostRefusals, isRefusal)

/** Keeps a refusal for the page, and says that there is one wherever the person is. */
function refuse(refusal: Refusal): void {
  refusalStore.change((kept) => [refusal, ...kept])
  addToast({
    title: uploadFailed,
    content: `${refusal.fileName} was refused. The page of system updates has the reason.`,
    variant: 'error',
  })
}

export const dismissRefusal = (id: string): void =>
  refusalStore.change((kept) => kept.filter((one) => one.id !== id))

/** The title of each failure. */
export const uploadFailed = 'Could not upload repository'

export const uploadStore = createStore<readonly LocalUpload[]>([])

const find = (id: string): LocalUpload | undefined => uploadStore.get().find((one) => one.id === id)
const forget = (id: string): void => uploadStore.set(uploadStore.get().filter((one) => one.id !== id))
const change = (id: string, to: Partial<LocalUpload>): void =>
  uploadStore.set(uploadStore.get().map((one) => (one.id === id ? { ...one, ...to } : one)))

/** Begins an upload. Throws if the server refuses it. */
export async function beginUpload(file: File): Promise<void> {
  const { id } = await send(systemUpdateUploadCreate, { body: { fileName: file.name, size: file.size } })
  uploadStore.set([...uploadStore.get(), { id, file, offset: 0, state: 'sending' }])
  await reloadUploads()
  void run(id)
}

/** Why a file is not the one of an unfinished upload, or undefined. */
export const otherFileReason = (
  { fileName, size }: Pick<Upload, 'fileName' | 'size'>,
  file: File,
): string | undefined =>
  file.name === fileName && file.size === size
    ? undefined
    : `Choose the file ${fileName} of ${size} bytes, from which the upload began.`

/** Continues an upload where the server has its end: of a file that this tab has, or that was chosen again. */
export function resumeUpload(id: string, file?: File): void {
  const known = find(id)
  if (known) change(id, { state: 'sending' })
  else if (file) uploadStore.set([...uploadStore.get(), { id, file, offset: 0, state: 'sending' }])
  void run(id)
}

export const pauseUpload = (id: string): void => change(id, { state: 'paused' })

/** The request that deletes an upload. */
export const cancelRequest = (id: string) => requestTo(systemUpdateUploadDelete, { params: { uploadId: id } })

/** Cancels an upload: the server deletes what it has of it. */
export async function cancelUpload(id: string): Promise<void> {
  forget(id)
  await sendRequest(cancelRequest(id))
  await reloadUploads()
}

const running = new Set<string>()

async function run(id: string): Promise<void> {
  if (running.has(id)) return
  running.add(id)
  try {
    await sendParts(id)
  } catch (error) {
    // It may have been canceled since.
    change(id, { state: 'failed', reason: errorMessage(error) })
  } finally {
    running.delete(id)
  }
}

async function sendParts(id: string): Promise<void> {
  const params = { uploadId: id }
  // A part may have arrived although its answer was lost.
  let { offset } = await send(systemUpdateUploadView, { params })
  for (;;) {
    change(id, { offset })
    const upload = find(id)
    if (upload?.state !== 'sending') return
    if (offset >= upload.file.size) break
    const body = new Uint8Array(await upload.file.slice(offset, offset + limits.update.part).arrayBuffer())
    offset = (await send(systemUpdateUploadAppend, { params, query: { offset }, body })).offset
  }
  change(id, { state: 'verifying' })
  await finish(id)
}

/** The server verifies the repository. One that it refuses is gone. */
async function finish(id: string): Promise<void> {
  try {
    const { repo, status } = await send(systemUpdateUploadFinish, { params: { uploadId: id } })
    const isNew = status === 'inserted'
    addToast({
      content: isNew
        ? `Release ${repo.systemVersion} uploaded`
        : `Release ${repo.systemVersion} was there already`,
      variant: 'success',
    })
  } catch (error) {
    refuse({ id, fileName: find(id)?.file.name ?? '', reason: errorMessage(error) })
  }
  forget(id)
  await reloadUploads()
}
