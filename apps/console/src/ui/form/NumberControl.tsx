import { useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { NumberField, type NumberFieldProps } from '#/ui/field/NumberField.tsx'
import { type ControlProps, readNumber, useField } from './useField.ts'

/** A NumberField of a form; an empty one holds NaN. Text that is not a number is NaN too, and refuses the form. */
export function NumberControl<V extends FieldValues>({
  validate,
  ...props
}: ControlProps<NumberFieldProps, number, V>) {
  const problem = useRef<string>(undefined)
  const check = (value: number, form: V) =>
    (Number.isNaN(value) ? problem.current : undefined) ?? validate?.(value, form)
  const field = useField({ ...props, validate: check }, readNumber)
  const change = (next: number, unread?: string) => {
    problem.current = unread
    field.onChange(next)
  }
  return <NumberField {...field} onChange={change} />
}
