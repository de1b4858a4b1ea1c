import { missing, takenName } from '#/api/errors.ts'
import type { InstanceForm } from './form.ts'
import { rowName } from './rules.ts'

type SentForm = Pick<InstanceForm, 'boot' | 'bootName' | 'bootDisk' | 'disks' | 'network'>

/** The field that a failure is about, if it is not the instance's own name. */
export const failedField = (error: unknown, form: SentForm): keyof InstanceForm | undefined =>
  // Nothing but the file of user data is read.
  error instanceof DOMException ? 'userData' : (takenField(error, form) ?? missingField(error, form))

/** The field of a disk that would have been created along with the instance, if its name is taken. */
function takenField(error: unknown, form: SentForm): keyof InstanceForm | undefined {
  const taken = takenName(error)
  if (taken?.type !== 'disk') return undefined
  if (form.disks.some((row) => rowName(row) === taken.name)) return 'disks'
  return form.bootName === taken.name ? 'bootName' : undefined
}

/** The field of what was chosen, or is chosen by default, and is not there. */
function missingField(error: unknown, form: SentForm): keyof InstanceForm | undefined {
  const { type, name } = missing(error) ?? {}
  switch (type) {
    case 'vpc':
    case 'vpc-subnet':
      return form.network === 'custom' ? 'nics' : 'network'
    case 'disk':
      return form.boot === 'disk' && form.bootDisk === name ? 'bootDisk' : 'disks'
    case 'image':
      return form.boot === 'siloImage' || form.boot === 'projectImage' ? form.boot : undefined
    case 'snapshot':
      return form.boot === 'bootSnapshot' ? form.boot : 'disks'
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
