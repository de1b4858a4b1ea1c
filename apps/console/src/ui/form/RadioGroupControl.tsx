import { RadioGroupField } from '#/ui/field/RadioGroupField.tsx'
import { control } from './control.tsx'
import { readText } from './useField.ts'

/** A RadioGroupField of a form. */
export const RadioGroupControl = control(RadioGroupField, readText)
