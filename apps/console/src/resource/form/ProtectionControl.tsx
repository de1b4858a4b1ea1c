import type { Control, FieldValues } from 'react-hook-form'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { formPart } from '#/ui/form/formPart.ts'

const part = formPart<{ protected: boolean }>()

/** The switch that protects a resource from deletion, in its form. */
export const ProtectionControl = <F extends FieldValues & { protected: boolean }>({
  control,
}: {
  control: Control<F>
}) => (
  <CheckboxControl
    name="protected"
    control={part(control)}
    label="Protect from deletion"
    hint="Requests to delete it are refused until the protection is removed."
  />
)

/** The values of a form that edits name, description and protection. */
export const protectableValues = ({
  name,
  description,
  protected: isProtected,
}: {
  name: string
  description: string
  protected?: boolean | undefined
}) => ({ name, description, protected: isProtected === true })
