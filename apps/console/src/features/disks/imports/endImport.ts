import {
  diskBulkWriteImportStop,
  diskDelete,
  diskFinalizeImport,
  diskView,
} from '@purlin/contract/operations/storage/disks'
import type { DiskState } from '@purlin/contract/rules/states'
import { requestTo, type ApiRequest } from '#/api/request.ts'
import { send, sendIfThere } from '#/api/send.ts'

interface Target {
  project: string
  name: string
  /** Makes the signal of each call. */
  signal?: () => AbortSignal
}

const argsOf = ({ project, name }: Target) => ({ params: { disk: name }, query: { project } })

/** The requests that end the import into a disk in this state. */
export function endRequests(target: Target, state: DiskState): ApiRequest[] {
  const isSending = state === 'importing_from_bulk_writes'
  const stop = requestTo(diskBulkWriteImportStop, argsOf(target))
  const finish = requestTo(diskFinalizeImport, { ...argsOf(target), body: {} })
  return [...(isSending ? [stop] : []), ...(isSending || state === 'import_ready' ? [finish] : [])]
}

/** The requests that delete a disk in this state, whose import is ended first. */
export const removeRequests = (target: Target, state: DiskState): ApiRequest[] => [
  ...endRequests(target, state),
  requestTo(diskDelete, argsOf(target)),
]

/** Ends the import of a disk, if there is one, which leaves the disk detached. False if there is no such disk. */
export async function endImport(target: Target): Promise<boolean> {
  const { signal } = target
  const found = await sendIfThere(diskView, argsOf(target), signal?.())
  if (!found) return false
  for (const { op, args } of endRequests(target, found.state.state)) await send(op, args, signal?.())
  return true
}

/** Deletes a disk, ending its import first. */
export async function removeDisk(target: Target): Promise<void> {
  if (!(await endImport(target))) return
  await sendIfThere(diskDelete, argsOf(target), target.signal?.())
}
