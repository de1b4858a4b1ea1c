import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { labelOf } from '#/lib/text.ts'
import { liveNameComplaint, nameMaxLength, validateName, textLength } from '#/lib/input/validate.ts'
import { TextField, type TextFieldProps } from '#/ui/field/TextField.tsx'
import { type ControlProps, readText, useField } from './useField.ts'

/** The name of a resource: required unless `required` is false. It reports invalid characters while the user types
 * and shows a counter once half of the 63 characters are used. */
export function NameControl<V extends FieldValues>({
  control,
  name,
  label = labelOf(name),
  required = true,
  validate,
  onValue,
  ...rest
}: ControlProps<TextFieldProps, string, V>) {
  const [isTyping, setTyping] = useState(false)
  const rule = validateName(label, required)
  const { value, bound } = useField<string, V>({
    control,
    name,
    label,
    validate: (text, form) => rule(text) ?? validate?.(text, form),
    onValue,
    read: readText,
  })
  const error = bound.error ?? (isTyping ? liveNameComplaint(value) : undefined)
  const change = (text: string) => {
    setTyping(true)
    bound.onChange(text)
  }
  return (
    <TextField
      mono
      aside={textLength(value) > nameMaxLength / 2 ? `${textLength(value)}/${nameMaxLength}` : undefined}
      {...rest}
      {...bound}
      required={required}
      value={value}
      error={error}
      onChange={change}
    />
  )
}
