import type { FieldValues } from 'react-hook-form'
import { descriptionMaxLength, validateDescription, textLength } from '#/lib/input/validate.ts'
import { TextAreaField, type TextAreaFieldProps } from '#/ui/field/TextAreaField.tsx'
import { type ControlProps, readText, useField } from './useField.ts'

/** The optional description of a resource, at most 512 characters. */
export function DescriptionControl<V extends FieldValues>({
  validate,
  ...props
}: ControlProps<TextAreaFieldProps, string, V>) {
  const rule = (text: string, form: V) => validateDescription(text) ?? validate?.(text, form)
  const field = useField({ ...props, validate: rule }, readText)
  const length = textLength(field.value)
  const isLong = length > descriptionMaxLength * 0.8
  return <TextAreaField aside={isLong ? `${length}/${descriptionMaxLength}` : undefined} {...field} />
}
