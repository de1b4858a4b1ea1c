import {
  diskBulkWriteImportStop,
  diskDelete,
  diskFinalizeImport,
  diskView,
} from '@purlin/contract/operations/storage/disks'
import { send, sendIfThere } from '#/api/send.ts'

interface Target {
  project: string
  name: string
  /** Makes the signal of each call. */
  signal?: () => AbortSignal
}

/** Ends the import of a disk, if there is one, which leaves the disk detached. False if there is no such disk. */
export async function endImport({ project, name, signal }: Target): Promise<boolean> {
  const disk = { params: { disk: name }, query: { project } }
  const found = await sendIfThere(diskView, disk, signal?.())
  if (!found) return false
  const { state } = found.state
  if (state === 'importing_from_bulk_writes') await send(diskBulkWriteImportStop, disk, signal?.())
  if (state === 'importing_from_bulk_writes' || state === 'import_ready')
    await send(diskFinalizeImport, { ...disk, body: {} }, signal?.())
  return true
}

/** Deletes a disk, ending its import first. */
export async function removeDisk(target: Target): Promise<void> {
  if (!(await endImport(target))) return
  const { project, name, signal } = target
  await sendIfThere(diskDelete, { params: { disk: name }, query: { project } }, signal?.())
}
