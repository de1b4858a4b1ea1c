import type { FieldValues } from 'react-hook-form'
import { TextAreaField, type TextAreaFieldProps } from '#/ui/field/TextAreaField.tsx'
import { type ControlProps, readText, textRule, useField } from './useField.ts'

/** A TextAreaField of a form. */
export const TextAreaControl = <V extends FieldValues>({
  maxLength,
  validate,
  ...props
}: ControlProps<TextAreaFieldProps, string, V> & { maxLength?: number | undefined }) => (
  <TextAreaField {...useField({ ...props, validate: textRule(maxLength, validate) }, readText)} />
)
