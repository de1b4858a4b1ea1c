import type { FieldValues } from 'react-hook-form'
import { validateLength } from '#/lib/input/validate.ts'
import { TextField, type TextFieldProps } from '#/ui/field/TextField.tsx'
import { type ControlProps, readText, useField } from './useField.ts'

/** A TextField of a form. */
export function TextControl<V extends FieldValues>({
  maxLength = Infinity,
  validate,
  ...props
}: ControlProps<TextFieldProps, string, V> & { maxLength?: number | undefined }) {
  const rule = (text: string, form: V) => validateLength(maxLength)(text) ?? validate?.(text, form)
  return <TextField {...useField({ ...props, validate: rule }, readText)} />
}
