import type { ComponentProps } from 'react'
import type { FieldValues } from 'react-hook-form'
import { RadioCards } from '#/ui/field/RadioCards.tsx'
import { type ControlProps, readText, useField } from './useField.ts'

/** RadioCards of a form. */
export function RadioCardsControl<V extends FieldValues>({
  control,
  name,
  label,
  required,
  validate,
  onValue,
  ...rest
}: ControlProps<ComponentProps<typeof RadioCards>, string, V>) {
  const { value, bound } = useField({ control, name, label, required, validate, onValue, read: readText })
  return <RadioCards {...rest} {...bound} value={value} />
}
