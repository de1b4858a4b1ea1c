import {
  diskBulkWriteImportStop,
  diskDelete,
  diskFinalizeImport,
  diskView,
} from '@purlin/contract/operations/disks'
import type { send, sendIfThere } from '../../send.ts'

/** The two ways to call, or their stand-ins in tests. */
export interface Post {
  send: typeof send
  sendIfThere: typeof sendIfThere
}
interface Target {
  project: string
  name: string
  /** Makes the signal of each call. */
  signal?: () => AbortSignal
}

/** Ends the import into a disk, if there is one, and leaves the disk detached with what it holds. False without a disk. */
export async function endImport(
  { send, sendIfThere }: Post,
  { project, name, signal }: Target,
): Promise<boolean> {
  const disk = { params: { disk: name }, query: { project } }
  const found = await sendIfThere(diskView, disk, signal?.())
  if (!found) return false
  const { state } = found.state
  if (state === 'importing_from_bulk_writes') await send(diskBulkWriteImportStop, disk, signal?.())
  if (state === 'importing_from_bulk_writes' || state === 'import_ready')
    await send(diskFinalizeImport, { ...disk, body: {} }, signal?.())
  return true
}

/** Removes a disk, whatever is being imported into it. */
export async function removeDisk(post: Post, target: Target): Promise<void> {
  if (!(await endImport(post, target))) return
  const { project, name, signal } = target
  await post.sendIfThere(diskDelete, { params: { disk: name }, query: { project } }, signal?.())
}
