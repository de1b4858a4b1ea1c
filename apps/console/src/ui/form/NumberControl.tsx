import type { FieldValues } from 'react-hook-form'
import { NumberField, type NumberFieldProps } from '#/ui/field/NumberField.tsx'
import { type ControlProps, readNumber, useField } from './useField.ts'

/** A NumberField of a form; an empty one holds NaN. */
export function NumberControl<V extends FieldValues>({
  control,
  name,
  label,
  required,
  validate,
  onValue,
  ...rest
}: ControlProps<NumberFieldProps, number, V>) {
  const { value, bound } = useField({ control, name, label, required, validate, onValue, read: readNumber })
  return <NumberField {...rest} {...bound} value={value} />
}
