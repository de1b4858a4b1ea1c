import type { FieldValues } from 'react-hook-form'
import { TextAreaField, type TextAreaFieldProps } from '#/ui/field/TextAreaField.tsx'
import { type ControlProps, readText, useField } from './useField.ts'

/** A TextAreaField of a form. */
export function TextAreaControl<V extends FieldValues>({
  control,
  name,
  label,
  required,
  validate,
  onValue,
  ...rest
}: ControlProps<TextAreaFieldProps, string, V>) {
  const { value, bound } = useField({ control, name, label, required, validate, onValue, read: readText })
  return <TextAreaField {...rest} {...bound} value={value} />
}
