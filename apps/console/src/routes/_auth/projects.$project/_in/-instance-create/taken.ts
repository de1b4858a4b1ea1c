import { ApiError, errorMessage } from '../../../../../send.ts'
import type { InstanceForm } from './form.ts'
import { rowName } from './rules.ts'

/** A name that is taken, but not the instance's own: the field that holds it, and the failure in words. */
export interface Taken {
  field?: 'bootName' | 'disks'
  error: ApiError
}

/** Tells whether a refusal is about the name of something that would have been made along with the instance. */
export function takenBeside(
  error: unknown,
  form: Pick<InstanceForm, 'bootName' | 'disks'>,
): Taken | undefined {
  if (!(error instanceof ApiError) || error.code !== 'ObjectAlreadyExists') return undefined
  const [, kind, name] = /already exists: ([a-z-]+) "(.*)"/.exec(error.message) ?? []
  if (!kind || kind === 'instance') return undefined
  const { operation, status, requestId } = error
  // Without its code: with it, the failure would be put at the field called 'name'.
  const plain = new ApiError(operation, status, { message: errorMessage(error), requestId })
  if (kind === 'disk' && form.disks.some((row) => rowName(row) === name))
    return { field: 'disks', error: plain }
  return {
    ...(kind === 'disk' && form.bootName === name ? { field: 'bootName' as const } : {}),
    error: plain,
  }
}
