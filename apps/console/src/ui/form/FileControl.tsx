import type { FieldValues } from 'react-hook-form'
import { FileField, type FileFieldProps } from '#/ui/field/FileField.tsx'
import { type ControlProps, useField } from './useField.ts'

const readFile = (value: unknown): File | null => (value instanceof File ? value : null)

/** A FileField of a form. */
export function FileControl<V extends FieldValues>({
  control,
  name,
  label,
  required,
  validate,
  onValue,
  ...rest
}: ControlProps<FileFieldProps, File | null, V>) {
  const { value, bound } = useField({ control, name, label, required, validate, onValue, read: readFile })
  return <FileField {...rest} {...bound} value={value} />
}
