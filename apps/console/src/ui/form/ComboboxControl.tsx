import { ComboboxField } from '#/ui/field/ComboboxField.tsx'
import { control } from './control.tsx'
import { readText } from './useField.ts'

/** A ComboboxField of a form. */
export const ComboboxControl = control(ComboboxField, readText)
