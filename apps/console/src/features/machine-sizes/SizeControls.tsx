import { GiB } from '@purlin/contract/rules/limits'
import type { Control } from 'react-hook-form'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { formPart } from '#/ui/form/formPart.ts'
import { cpuProblem, memoryProblem, type MachineSize } from './sizes.ts'

/** The form of a size. */
export interface SizeValues {
  name: string
  description: string
  ncpus: number
  /** GiB */
  memory: number
}
export const emptySize: SizeValues = { name: '', description: '', ncpus: 2, memory: 8 }

export const sizeValues = ({ name, description, ncpus, memory }: MachineSize): SizeValues => ({
  name,
  description,
  ncpus,
  memory: memory / GiB,
})
export const sizeBody = (values: SizeValues) => ({ ...values, memory: values.memory * GiB })

const part = formPart<Pick<SizeValues, 'ncpus' | 'memory'>>()

/** The fields after name and description. */
export function SizeControls<F extends SizeValues>({ control: of }: { control: Control<F> }) {
  const control = part(of)
  return (
    <>
      <NumberControl
        name="ncpus"
        control={control}
        label="vCPUs"
        required
        integer
        min={1}
        validate={cpuProblem}
      />
      <NumberControl
        name="memory"
        control={control}
        units="GiB"
        required
        integer
        min={1}
        validate={memoryProblem}
        hint="Instances keep the size that they have when the list changes."
      />
    </>
  )
}
