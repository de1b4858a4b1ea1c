/**
 * The calls of an upload. Each call checks the current state first, so that repeating one after a lost response
 * has no further effect.
 */
import {
  diskBlocksWrite,
  diskBulkWriteImport,
  diskBulkWriteImportStart,
  diskBulkWriteImportStop,
  diskCreate,
  diskFinalizeImport,
  diskView,
} from '@purlin/contract/operations/storage/disks'
import { imageCreate, imageDelete, imageView } from '@purlin/contract/operations/storage/images'
import { snapshotDelete, snapshotView } from '@purlin/contract/operations/storage/snapshots'
import { toBase64 } from '@purlin/contract/wire'
import { removeDisk } from '#/features/disks/imports/endImport.ts'
import { describeUpload, snapshotNameOf, type FileFacts } from '#/features/disks/imports/imports.ts'
import type { Disk } from '#/features/disks/disks.tsx'
import type { Tags } from '@purlin/contract/rules/tags'
import { ApiError, send, sendIfThere } from '#/api/send.ts'
import { diskSizeFor } from '../rules.ts'

/** Name and details of the new image. */
export interface Details {
  name: string
  description: string
  os: string
  version: string
  tags?: Tags | null
  protected?: boolean | null
}
export interface Leftover {
  kind: 'disk' | 'snapshot' | 'image'
  name: string
  error: unknown
}
// A call that takes longer is treated as a lost connection.
const timeoutMs = 30_000
const withTimeout = (signal?: AbortSignal): AbortSignal =>
  signal ? AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) : AbortSignal.timeout(timeoutMs)

interface Block {
  offset: number
  bytes: Uint8Array
}
/** The server does not know the operation. The error of a disk that does not exist has a code. */
const isUnknown = (error: unknown) =>
  error instanceof ApiError && error.status === 404 && error.code === undefined

export function createCalls(project: string) {
  // Another server of the contract takes blocks only in base64: bytes are tried once.
  let takesBytes = true
  const query = { project }
  const disk = (name: string) => ({ params: { disk: name }, query })
  const snapshot = (name: string) => ({ params: { snapshot: name }, query })
  const view = (name: string) => send(diskView, disk(name), withTimeout())
  async function createDisk(
    name: string,
    request: { file: FileFacts; image: string; blockSize: 512 | 2048 | 4096 },
  ) {
    const { file, image, blockSize } = request
    const body = {
      name,
      description: describeUpload(file, image),
      size: diskSizeFor(file.size),
      diskSource: { type: 'importing_blocks', blockSize },
    } as const
    return send(diskCreate, { query, body }, withTimeout())
  }

  return {
    /** `isRetry`: an earlier attempt may have succeeded although its response was lost. */
    createDisk: async (
      name: string,
      request: Parameters<typeof createDisk>[1],
      isRetry: boolean,
    ): Promise<Disk> =>
      (isRetry ? await sendIfThere(diskView, disk(name), withTimeout()) : undefined) ??
      createDisk(name, request),

    async startImport(name: string): Promise<void> {
      const { state } = await view(name)
      if (state.state !== 'importing_from_bulk_writes')
        await send(diskBulkWriteImportStart, disk(name), withTimeout())
    },

    async write(diskId: string, { offset, bytes }: Block, signal: AbortSignal): Promise<void> {
      const params = { disk: diskId }
      if (takesBytes)
        try {
          return await send(diskBlocksWrite, { params, query: { offset }, body: bytes }, withTimeout(signal))
        } catch (error) {
          if (!isUnknown(error)) throw error
          takesBytes = false
        }
      const body = { offset, base64EncodedData: toBase64(bytes) }
      return send(diskBulkWriteImport, { params, query: {}, body }, withTimeout(signal))
    },

    async stopImport(name: string): Promise<void> {
      const { state } = await view(name)
      if (state.state !== 'import_ready') await send(diskBulkWriteImportStop, disk(name), withTimeout())
    },

    /** Finalizes the import; gives the id of the snapshot made with it. */
    async finalize(name: string): Promise<string> {
      const snapshotName = snapshotNameOf(name)
      const { state } = await view(name)
      if (state.state !== 'detached')
        await send(diskFinalizeImport, { ...disk(name), body: { snapshotName } }, withTimeout())
      return (await send(snapshotView, snapshot(snapshotName), withTimeout())).id
    },

    /** Creates the image. In a retry, an image with the same name and details is taken for ours. */
    async createImage(details: Details, id: string, isRetry: boolean): Promise<string> {
      const args = { params: { image: details.name }, query }
      const found = isRetry ? await sendIfThere(imageView, args, withTimeout()) : undefined
      const isOurs =
        found && (['description', 'os', 'version'] as const).every((key) => found[key] === details[key])
      if (isOurs) return found.id
      const body = { ...details, source: { type: 'snapshot', id } } as const
      return (await send(imageCreate, { query, body }, withTimeout())).id
    },

    /** Deletes everything that an upload has created; returns the leftovers. */
    removeAll: (made: Made) => removeAll(project, made),
  }
}
export type Calls = ReturnType<typeof createCalls>

interface Made {
  /** The name of the disk; its snapshot's follows from it. */
  disk: string
  imageId?: string | undefined
}

async function removeAll(project: string, { disk, imageId }: Made): Promise<Leftover[]> {
  const leftovers: Leftover[] = []
  const attempt = async (kind: Leftover['kind'], name: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      leftovers.push({ kind, name, error })
    }
  }
  const snapshot = snapshotNameOf(disk)
  if (imageId !== undefined)
    await attempt('image', imageId, () =>
      sendIfThere(imageDelete, { params: { image: imageId }, query: {} }, withTimeout()),
    )
  await attempt('snapshot', snapshot, () =>
    sendIfThere(snapshotDelete, { params: { snapshot }, query: { project } }, withTimeout()),
  )
  await attempt('disk', disk, () => removeDisk({ project, name: disk, signal: withTimeout }))
  return leftovers
}
