import type { FieldValues } from 'react-hook-form'
import { ComboboxField, type ComboboxFieldProps } from '#/ui/field/ComboboxField.tsx'
import { type ControlProps, readText, useField } from './useField.ts'

/** A ComboboxField of a form. */
export function ComboboxControl<V extends FieldValues>({
  control,
  name,
  label,
  required,
  validate,
  onValue,
  ...rest
}: ControlProps<ComboboxFieldProps, string, V>) {
  const { value, bound } = useField({ control, name, label, required, validate, onValue, read: readText })
  return <ComboboxField {...rest} {...bound} value={value} />
}
