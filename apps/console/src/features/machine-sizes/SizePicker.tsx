import { countOf } from '@purlin/contract/rules/kinds'
import { formatBytes } from '@purlin/contract/rules/limits'
import { useState } from 'react'
import { ListboxField } from '#/ui/field/ListboxField.tsx'
import { type Amounts, sizeOfAmounts, useOfferedSizes } from './sizes.ts'

const ownSize = 'custom'
const custom = { value: ownSize, label: 'Custom', description: 'vCPUs and memory as you enter them' }

interface SizePickerProps {
  /** The amounts that the form has. */
  value: Amounts
  onChange: (size: Amounts) => void
  disabledReason?: string
}

/** Chooses one of the offered sizes, which fills in its amounts. Nothing if none are offered. */
export function SizePicker({ value, onChange, disabledReason }: SizePickerProps) {
  const sizes = useOfferedSizes()
  const [isOwn, setOwn] = useState(false)
  if (sizes.length === 0) return null
  const choose = (id: string) => {
    const size = sizes.find((one) => one.id === id)
    setOwn(!size)
    if (size) onChange(size)
  }
  return (
    <ListboxField
      label="Size"
      required
      items={[
        ...sizes.map(({ id, name, description, ncpus, memory }) => ({
          value: id,
          label: `${name} (${countOf(ncpus, 'vCPU')}, ${formatBytes(memory)})`,
          description,
        })),
        custom,
      ]}
      value={isOwn ? ownSize : (sizeOfAmounts(sizes, value)?.id ?? ownSize)}
      onChange={choose}
      {...(disabledReason === undefined ? {} : { disabledReason })}
    />
  )
}
