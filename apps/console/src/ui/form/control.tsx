import type { ComponentType, ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { type ControlProps, useField } from './useField.ts'

/** Makes the form control of a plain field. `read` converts the form's value to one that the field can show. */
export function control<P extends { value: T }, T>(Field: ComponentType<P>, read: (value: unknown) => T) {
  return function Control<V extends FieldValues>(props: ControlProps<P, T, V>): ReactNode {
    // The type of the props does not add up for the compiler: all of a field's props but those that the form provides.
    const field = useField(props, read) as unknown as P
    return <Field {...field} />
  }
}
