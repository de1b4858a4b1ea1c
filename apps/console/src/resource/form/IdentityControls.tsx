import type { Control, FieldValues } from 'react-hook-form'
import { formPart } from '#/ui/form/formPart.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'

/** The values that the form of every resource has. */
export interface Identity {
  name: string
  description: string
}
const identity = formPart<Identity>()

/** The first two fields of most forms. */
export function IdentityControls<F extends Identity & FieldValues>({
  control,
  disabledReason,
}: {
  control: Control<F>
  disabledReason?: string | undefined
}) {
  const of = { control: identity(control), disabledReason }
  return (
    <>
      <NameControl {...of} name="name" />
      <DescriptionControl {...of} name="description" />
    </>
  )
}
