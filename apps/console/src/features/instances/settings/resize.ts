import { GiB } from '@purlin/contract/rules/limits'
import type { Amounts } from '#/features/machine-sizes/sizes.ts'

/** The size of an instance as its form holds it. */
export interface SizeForm {
  ncpus: number
  /** GiB */
  memory: number
}
export const sizeToForm = ({ ncpus, memory }: Amounts): SizeForm => ({ ncpus, memory: memory / GiB })

/** The changes of a form to the shown size. Untouched values are not sent, so that other users may change them. */
export function sizeChanges(form: SizeForm, shown: Amounts): Partial<Amounts> {
  const memory = form.memory * GiB
  return {
    ...(form.ncpus === shown.ncpus ? {} : { ncpus: form.ncpus }),
    ...(memory === shown.memory ? {} : { memory }),
  }
}
