import type { FieldValues } from 'react-hook-form'
import { RadioGroupField, type RadioGroupFieldProps } from '#/ui/field/RadioGroupField.tsx'
import { type ControlProps, readText, useField } from './useField.ts'

/** A RadioGroupField of a form. */
export function RadioGroupControl<V extends FieldValues>({
  control,
  name,
  label,
  required,
  validate,
  onValue,
  ...rest
}: ControlProps<RadioGroupFieldProps, string, V>) {
  const { value, bound } = useField({ control, name, label, required, validate, onValue, read: readText })
  return <RadioGroupField {...rest} {...bound} value={value} />
}
