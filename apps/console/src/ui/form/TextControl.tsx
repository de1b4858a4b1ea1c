import type { FieldValues } from 'react-hook-form'
import { validateLength } from '#/lib/input/validate.ts'
import { TextField, type TextFieldProps } from '#/ui/field/TextField.tsx'
import { type ControlProps, readText, useField } from './useField.ts'

/** A TextField of a form. */
export function TextControl<V extends FieldValues>({
  control,
  name,
  label,
  required,
  maxLength = Infinity,
  validate,
  onValue,
  refusesEmpty = false,
  ...rest
}: ControlProps<TextFieldProps, string, V> & {
  maxLength?: number | undefined
  /** The rule refuses an empty text in its own words, so that the field is not called optional. */
  refusesEmpty?: boolean
}) {
  const rule = (text: string, form: V) => validateLength(maxLength)(text) ?? validate?.(text, form)

  const { value, bound } = useField({
    control,
    name,
    label,
    required,
    validate: rule,
    onValue,
    read: readText,
  })
  return <TextField {...rest} {...bound} required={required === true || refusesEmpty} value={value} />
}
