import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { labelOf } from '#/lib/text.ts'
import { liveNameComplaint, nameMaxLength, validateName, textLength } from '#/lib/input/validate.ts'
import { TextField, type TextFieldProps } from '#/ui/field/TextField.tsx'
import { type ControlProps, readText, useField } from './useField.ts'

/** The name of a resource: required unless `required` is false. It reports invalid characters while the user types
 * and shows a counter once half of the 63 characters are used. */
export function NameControl<V extends FieldValues>({
  required = true,
  validate,
  ...props
}: ControlProps<TextFieldProps, string, V>) {
  const [isTyping, setTyping] = useState(false)
  const isName = validateName(props.label ?? labelOf(props.name), required)
  const rule = (text: string, form: V) => isName(text) ?? validate?.(text, form)
  const field = useField({ ...props, refusesEmpty: required, validate: rule }, readText)
  const length = textLength(field.value)
  const change = (text: string) => {
    setTyping(true)
    field.onChange(text)
  }
  return (
    <TextField
      mono
      aside={length > nameMaxLength / 2 ? `${length}/${nameMaxLength}` : undefined}
      {...field}
      error={field.error ?? (isTyping ? liveNameComplaint(field.value) : undefined)}
      onChange={change}
    />
  )
}
