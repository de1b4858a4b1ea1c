/**
 * What an upload asks of the control plane. Each call looks at what is there before it acts, so that asking
 * again after an answer that was lost is asking once.
 */
import {
  diskBulkWriteImport,
  diskBulkWriteImportStart,
  diskBulkWriteImportStop,
  diskCreate,
  diskFinalizeImport,
  diskView,
} from '@purlin/contract/operations/disks'
import { imageCreate, imageDelete, imageView } from '@purlin/contract/operations/images'
import { snapshotDelete, snapshotView } from '@purlin/contract/operations/snapshots'
import { removeDisk, type Post } from '../../../../../../parts/disk/endImport.ts'
import { describeUpload, snapshotNameOf, type FileFacts } from '../../../../../../parts/disk/imports.ts'
import type { Disk } from '../../../../../../parts/disk/disks.tsx'
import { diskSizeFor } from './rules.ts'

/** What the image will be called, and what it will say of itself. */
export interface Details {
  name: string
  description: string
  os: string
  version: string
}
export interface Leftover {
  kind: 'disk' | 'snapshot' | 'image'
  name: string
  error: unknown
}
// A call that hangs longer than this is taken for lost.
const patience = 30_000
const inTime = (signal?: AbortSignal): AbortSignal =>
  signal ? AbortSignal.any([signal, AbortSignal.timeout(patience)]) : AbortSignal.timeout(patience)

export function createCalls({ send, sendIfThere }: Post, project: string) {
  const query = { project }
  const disk = (name: string) => ({ params: { disk: name }, query })
  const snapshot = (name: string) => ({ params: { snapshot: name }, query })
  const view = (name: string) => send(diskView, disk(name), inTime())
  async function createDisk(
    name: string,
    wish: { file: FileFacts; image: string; blockSize: 512 | 2048 | 4096 },
  ) {
    const { file, image, blockSize } = wish
    const body = {
      name,
      description: describeUpload(file, image),
      size: diskSizeFor(file.size),
      diskSource: { type: 'importing_blocks', blockSize },
    } as const
    return send(diskCreate, { query, body }, inTime())
  }

  return {
    /** `again`: an earlier attempt may have succeeded without our hearing of it. */
    createDisk: async (name: string, wish: Parameters<typeof createDisk>[1], again: boolean): Promise<Disk> =>
      (again ? await sendIfThere(diskView, disk(name), inTime()) : undefined) ?? createDisk(name, wish),

    async startImport(name: string): Promise<void> {
      const { state } = await view(name)
      if (state.state !== 'importing_from_bulk_writes')
        await send(diskBulkWriteImportStart, disk(name), inTime())
    },

    write: (diskId: string, block: { offset: number; base64EncodedData: string }, signal: AbortSignal) =>
      send(diskBulkWriteImport, { params: { disk: diskId }, query: {}, body: block }, inTime(signal)),

    async stopImport(name: string): Promise<void> {
      const { state } = await view(name)
      if (state.state !== 'import_ready') await send(diskBulkWriteImportStop, disk(name), inTime())
    },

    /** Ends the import and says which snapshot it has left. */
    async finalize(name: string): Promise<string> {
      const snapshotName = snapshotNameOf(name)
      const { state } = await view(name)
      if (state.state !== 'detached')
        await send(diskFinalizeImport, { ...disk(name), body: { snapshotName } }, inTime())
      return (await send(snapshotView, snapshot(snapshotName), inTime())).id
    },

    /** Makes the image. After a lost answer, one like it of the same name is taken for ours. */
    async createImage(details: Details, id: string, again: boolean): Promise<string> {
      const args = { params: { image: details.name }, query }
      const found = again ? await sendIfThere(imageView, args, inTime()) : undefined
      const isOurs =
        found && (['description', 'os', 'version'] as const).every((key) => found[key] === details[key])
      if (isOurs) return found.id
      const body = { ...details, source: { type: 'snapshot', id } } as const
      return (await send(imageCreate, { query, body }, inTime())).id
    },

    /** Removes whatever an upload has made, by its known names, and tells what could not be removed. */
    removeAll: (made: Made) => removeAll({ send, sendIfThere }, project, made),
  }
}
export type Calls = ReturnType<typeof createCalls>

interface Made {
  /** The name of the disk; its snapshot's follows from it. */
  disk: string
  imageId?: string | undefined
}

async function removeAll(post: Post, project: string, { disk, imageId }: Made): Promise<Leftover[]> {
  const { sendIfThere } = post
  const left: Leftover[] = []
  const attempt = async (kind: Leftover['kind'], name: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      left.push({ kind, name, error })
    }
  }
  const snapshot = snapshotNameOf(disk)
  if (imageId !== undefined)
    await attempt('image', imageId, () =>
      sendIfThere(imageDelete, { params: { image: imageId }, query: {} }, inTime()),
    )
  await attempt('snapshot', snapshot, () =>
    sendIfThere(snapshotDelete, { params: { snapshot }, query: { project } }, inTime()),
  )
  await attempt('disk', disk, () => removeDisk(post, { project, name: disk, signal: inTime }))
  return left
}
