import { isRecorded, type OpShape } from '@purlin/contract/op'
import { snake } from '@purlin/contract/wire'
import { useQuery } from '@tanstack/react-query'
import { ComboboxField } from '#/ui/field/ComboboxField.tsx'
import type { Choice } from '#/ui/field/choices.tsx'
import { operationWords } from './entries.tsx'

/** The operations that the audit log records, by their words. Their definitions come when the list is first opened. */
export const recorded = {
  queryKey: ['recorded operations'],
  queryFn: async (): Promise<Choice[]> => {
    const { operations } = await import('@purlin/contract/operations')
    return Object.entries<OpShape>(operations)
      .filter(([, op]) => isRecorded(op))
      .map(([name]) => choiceOf(snake(name)))
      .toSorted((a, b) => (a.label < b.label ? -1 : 1))
  },
  staleTime: Infinity,
}

const choiceOf = (operation: string): Choice => ({ value: operation, label: operationWords(operation) })

interface OperationFilterProps {
  /** As the API calls it: `disk_delete`; empty for every operation. */
  value: string
  onChange: (operation: string | undefined) => void
}

/** The operation, found by a part of its words. */
export function OperationFilter({ value, onChange }: OperationFilterProps) {
  const { data, isLoading } = useQuery({ ...recorded, throwOnError: false })
  return (
    <ComboboxField
      label="Operation"
      isFilter
      placeholder="Any"
      items={data ?? []}
      loading={isLoading}
      value={value}
      // An address may name one that this console does not know.
      chosen={value === '' ? undefined : choiceOf(value)}
      onChange={(operation) => operation !== value && onChange(operation === '' ? undefined : operation)}
    />
  )
}
