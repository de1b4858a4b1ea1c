import { ListboxField } from '#/ui/field/ListboxField.tsx'
import { control } from './control.tsx'
import { readText } from './useField.ts'

/** A ListboxField of a form. */
export const ListboxControl = control(ListboxField, readText)
