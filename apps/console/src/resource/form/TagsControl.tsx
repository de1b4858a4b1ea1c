import type { Control, FieldValues } from 'react-hook-form'
import { formPart } from '#/ui/form/formPart.ts'
import { TextAreaControl } from '#/ui/form/TextAreaControl.tsx'
import { tagsProblem } from './tags.ts'

const part = formPart<{ tags?: string }>()

/** The tags of a resource, in its form. */
export const TagsControl = <F extends FieldValues & { tags?: string }>({
  control,
}: {
  control: Control<F>
}) => (
  <TextAreaControl
    name="tags"
    control={part(control)}
    rows={2}
    mono
    hint="One per line, such as env=prod. In a list, tag:env=prod finds it."
    validate={tagsProblem}
  />
)
