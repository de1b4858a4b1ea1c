import { FileField } from '#/ui/field/FileField.tsx'
import { control } from './control.tsx'

/** A FileField of a form. */
export const FileControl = control(FileField, (value) => (value instanceof File ? value : null))
