/** Sends a file to an import in parts, which the server can continue after a lost connection. */
import {
  imageImportAppend,
  imageImportDelete,
  imageImportView,
} from '@purlin/contract/operations/storage/image-imports'
import { importLimits } from '@purlin/contract/rules/images/imports'
import { ApiError, send, sendIfThere } from '#/api/send.ts'

interface Sending {
  id: string
  file: File
  signal: AbortSignal
  /** Called with the bytes that the server has. */
  onProgress: (received: number) => void
}

const retryDelays = [1000, 2000, 4000, 8000]

/** Sends all parts. Throws ApiError, and what reading the file throws. */
export async function sendFile({ id, file, signal, onProgress }: Sending): Promise<void> {
  let offset = 0
  let failures = 0
  while (offset < file.size) {
    const part = await file.slice(offset, offset + importLimits.part).arrayBuffer()
    const params = { imageImport: id }
    try {
      const body = new Uint8Array(part)
      const { received } = await send(imageImportAppend, { params, query: { offset }, body }, signal)
      offset = received
      failures = 0
    } catch (error) {
      const delay = retryDelays[failures++]
      if (signal.aborted || delay === undefined || !mayPass(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, delay))
      // The answer may have been lost rather than the part.
      offset = (await send(imageImportView, { params, query: {} }, signal)).received
    }
    onProgress(offset)
  }
}

// Not 507: the quota has no room for the disk in the file.
const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 409 || (error.status >= 500 && error.status !== 507)

export const cancelImport = (id: string) =>
  sendIfThere(imageImportDelete, { params: { imageImport: id }, query: {} })
