import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { useEffect } from 'react'
import { labelOf } from '#/lib/text.ts'
import { required as isThere, validateLength } from '#/lib/input/validate.ts'
import { showField } from './shownFields.ts'

/** Connects a field to a form of react-hook-form. */
export interface FieldBinding<V extends FieldValues> {
  control: Control<V>
  name: FieldPath<V>
  /** The capitalised field name when left out. */
  label?: string | undefined
  required?: boolean | undefined
  /** A rule refuses an empty value with its own message, so the field is not marked optional. */
  refusesEmpty?: boolean
}

/**
 * A field's own rule; it is checked after the required rule and gets the values of the whole form. The form is sent once
 * rules that take time have been checked.
 */
export type FieldRule<T, V> = (value: T, form: V) => Complaint | Promise<Complaint>
type Complaint = string | undefined

/** Props of a form control: those of the plain field, without what the form provides. */
export type ControlProps<P, T, V extends FieldValues> = FieldBinding<V> &
  Omit<P, 'value' | 'checked' | 'onChange' | 'onBlur' | 'name' | 'error' | 'ref' | 'label' | 'required'> & {
    validate?: FieldRule<T, V>
    /** Called after the form has taken the value. */
    onValue?: (value: T) => void
  }

interface Binding<T, V extends FieldValues> extends FieldBinding<V> {
  validate?: FieldRule<T, V> | undefined
  onValue?: ((value: T) => void) | undefined
}

/**
 * Connects a plain field to its form and returns the field's props. `read` converts the form's value to one that the
 * field can show. The form checks on submit, then on every change; the first invalid field gets the focus.
 */
export function useField<T, V extends FieldValues, P extends object>(
  {
    control,
    name,
    label = labelOf(name),
    required = false,
    refusesEmpty = false,
    validate,
    onValue,
    ...rest
  }: P & Binding<T, V>,
  read: (value: unknown) => T,
) {
  const check = (raw: unknown, form: V) => {
    const value = read(raw)
    return (required ? isThere(label)(value) : undefined) ?? validate?.(value, form)
  }
  const { field, fieldState } = useController({ control, name, rules: { validate: check } })
  useEffect(() => showField(control, name, label), [control, name, label])
  const onChange = (value: T) => {
    field.onChange(value)
    onValue?.(value)
  }
  return {
    ...rest,
    label,
    required: required || refusesEmpty,
    error: fieldState.error?.message,
    name: field.name,
    onBlur: field.onBlur,
    onChange,
    ref: field.ref,
    value: read(field.value),
  }
}

/** The rule of a text field: its maximum, then its other rule. */
export const textRule =
  <V>(maxLength = Infinity, validate?: FieldRule<string, V>): FieldRule<string, V> =>
  (text, form) =>
    validateLength(maxLength)(text) ?? validate?.(text, form)

/** Reads a text, anything else being empty. */
export const readText = (value: unknown): string => (typeof value === 'string' ? value : '')
/** Reads a number, anything else being empty. */
export const readNumber = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)
