import type { FieldValues } from 'react-hook-form'
import { descriptionMaxLength, validateDescription, textLength } from '#/lib/input/validate.ts'
import { TextAreaField, type TextAreaFieldProps } from '#/ui/field/TextAreaField.tsx'
import { type ControlProps, readText, useField } from './useField.ts'

/** The optional description of a resource, at most 512 characters. */
export function DescriptionControl<V extends FieldValues>({
  control,
  name,
  label,
  required,
  validate,
  onValue,
  ...rest
}: ControlProps<TextAreaFieldProps, string, V>) {
  const rule = (text: string, form: V) => validateDescription(text) ?? validate?.(text, form)
  const { value, bound } = useField<string, V>({
    control,
    name,
    label,
    required,
    validate: rule,
    onValue,
    read: readText,
  })
  return (
    <TextAreaField
      aside={
        textLength(value) > descriptionMaxLength * 0.8
          ? `${textLength(value)}/${descriptionMaxLength}`
          : undefined
      }
      {...rest}
      {...bound}
      value={value}
    />
  )
}
