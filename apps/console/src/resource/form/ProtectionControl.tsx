import type { Control, FieldValues } from 'react-hook-form'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { formPart } from '#/ui/form/formPart.ts'
import { taggedValues } from './tags.ts'
import { TagsControl } from './TagsControl.tsx'

const part = formPart<{ protected: boolean }>()

/** The tags of a resource, and the switch that protects it from deletion, in its form. */
export const ProtectionControl = <F extends FieldValues & { protected: boolean; tags: string }>({
  control,
}: {
  control: Control<F>
}) => (
  <>
    <TagsControl control={control} />
    <CheckboxControl
      name="protected"
      control={part(control)}
      label="Protect from deletion"
      hint="Requests to delete it are refused until the protection is removed."
    />
  </>
)

/** The values of a form that edits name, description, tags and protection. */
export const protectableValues = ({
  protected: isProtected,
  ...row
}: Parameters<typeof taggedValues>[0] & { protected?: boolean | undefined }) => ({
  ...taggedValues(row),
  protected: isProtected === true,
})
