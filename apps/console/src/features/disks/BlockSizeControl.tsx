import { limits } from '@purlin/contract/rules/limits'
import type { ReactNode } from 'react'
import type { Control, FieldValues } from 'react-hook-form'
import { formPart } from '#/ui/form/formPart.ts'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'

const options = limits.disk.blockSizes.map((size) => ({ value: String(size), label: String(size) }))
const withBlockSize = formPart<{ blockSize: string }>()

/** Chooses the block size of a disk or an image. */
export function BlockSizeControl<V extends FieldValues & { blockSize: string }>({
  control,
  ...props
}: {
  control: Control<V>
  disabledReason?: ReactNode
  onValue?: () => void
}) {
  return (
    <RadioGroupControl
      name="blockSize"
      control={withBlockSize(control)}
      required
      units="Bytes"
      direction="row"
      options={options}
      {...props}
    />
  )
}
