import type { FieldValues } from 'react-hook-form'
import { CheckboxField, type CheckboxFieldProps } from '#/ui/field/CheckboxField.tsx'
import { type ControlProps, useField } from './useField.ts'

const readFlag = (value: unknown): boolean => value === true

/** A CheckboxField of a form that holds one boolean. */
export function CheckboxControl<V extends FieldValues>({
  control,
  name,
  label,
  validate,
  onValue,
  required: _,
  ...rest
}: ControlProps<CheckboxFieldProps, boolean, V>) {
  const { value, bound } = useField({ control, name, label, validate, onValue, read: readFlag })
  const { required: _required, ...shown } = bound
  return <CheckboxField {...rest} {...shown} checked={value} />
}
