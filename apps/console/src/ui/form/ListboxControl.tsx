import type { FieldValues } from 'react-hook-form'
import { ListboxField, type ListboxFieldProps } from '#/ui/field/ListboxField.tsx'
import { type ControlProps, readText, useField } from './useField.ts'

/** A ListboxField of a form. */
export function ListboxControl<V extends FieldValues>({
  control,
  name,
  label,
  required,
  validate,
  onValue,
  ...rest
}: ControlProps<ListboxFieldProps, string, V>) {
  const { value, bound } = useField({ control, name, label, required, validate, onValue, read: readText })
  return <ListboxField {...rest} {...bound} value={value} />
}
