import type { FieldValues } from 'react-hook-form'
import { TextField, type TextFieldProps } from '#/ui/field/TextField.tsx'
import { type ControlProps, readText, textRule, useField } from './useField.ts'

/** A TextField of a form. */
export const TextControl = <V extends FieldValues>({
  maxLength,
  validate,
  ...props
}: ControlProps<TextFieldProps, string, V> & { maxLength?: number | undefined }) => (
  <TextField {...useField({ ...props, validate: textRule(maxLength, validate) }, readText)} />
)
