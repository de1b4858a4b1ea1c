import { TextAreaField } from '#/ui/field/TextAreaField.tsx'
import { control } from './control.tsx'
import { readText } from './useField.ts'

/** A TextAreaField of a form. */
export const TextAreaControl = control(TextAreaField, readText)
