import type { FieldValues } from 'react-hook-form'
import { TextField, type TextFieldProps } from '../field/TextField.tsx'
import { type ControlProps, readText, useField } from './useField.ts'

/** A TextField of a form. */
export function TextControl<V extends FieldValues>({
  control,
  name,
  label,
  required,
  validate,
  onValue,
  ...rest
}: ControlProps<TextFieldProps, string, V>) {
  const { value, bound } = useField({ control, name, label, required, validate, onValue, read: readText })
  return <TextField {...rest} {...bound} value={value} />
}
