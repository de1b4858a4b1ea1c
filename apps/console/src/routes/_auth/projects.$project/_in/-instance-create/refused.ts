import { ApiError, errorMessage } from '../../../../../send.ts'
import type { InstanceForm } from './form.ts'
import { rowName } from './rules.ts'

/** A refusal that concerns one field more than the others: the field, and the failure in words. */
export interface Refused {
  field?: keyof InstanceForm
  error: ApiError
}
type Asked = Pick<InstanceForm, 'boot' | 'bootName' | 'bootDisk' | 'disks' | 'network'>

/** The field that a refusal is about, if it is not the instance's own name. */
export function refusedField(error: unknown, form: Asked): Refused | undefined {
  if (!(error instanceof ApiError)) return undefined
  return takenBeside(error, form) ?? goneMeanwhile(error, form)
}

/** The name of something that would have been made along with the instance is taken. */
function takenBeside(error: ApiError, form: Asked): Refused | undefined {
  if (error.code !== 'ObjectAlreadyExists') return undefined
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

/** Something that was chosen, or goes without saying, is not there. */
function goneMeanwhile(error: ApiError, form: Asked): Refused | undefined {
  if (error.status !== 404) return undefined
  const [, kind = '', name = ''] = /not found: ([a-z-]+) with (?:name|id) "(.*)"/.exec(error.message) ?? []
  const field = fieldOf(kind, name, form)
  return field && { field, error }
}

function fieldOf(kind: string, name: string, form: Asked): keyof InstanceForm | undefined {
  switch (kind) {
    case 'vpc':
    case 'vpc-subnet':
      return form.network === 'custom' ? 'nics' : 'network'
    case 'disk':
      return form.boot === 'disk' && form.bootDisk === name ? 'bootDisk' : 'disks'
    case 'image':
      return form.boot === 'disk' ? undefined : form.boot
    case 'ip-pool':
      return 'pool'
    case 'floating-ip':
      return 'floatingIps'
    case 'ssh-key':
      return 'sshKeys'
    default:
      return undefined
  }
}
