import type { Control, FieldValues } from 'react-hook-form'
import { hasNames } from '@purlin/contract/rules/kinds'
import { formPart } from '#/ui/form/formPart.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import type { Kind, Unnamed } from '../kind.ts'

/** The values that the form of a resource with a name has. */
export interface Identity {
  name: string
  description: string
}
/** The values of any form, and those that the form of a kind needs. */
export type FormValues = Partial<Identity> & FieldValues
export type IdentityOf<N> = N extends Unnamed ? unknown : Identity
const identity = formPart<Partial<Identity>>()

/** The first two fields of a form, unless its kind has no names. */
export function IdentityControls<F extends FormValues>({
  kind,
  control,
  disabledReason,
}: {
  kind: Pick<Kind, 'name'>
  control: Control<F>
  disabledReason?: string | undefined
}) {
  if (!hasNames(kind.name)) return null
  const of = { control: identity(control), disabledReason }
  return (
    <>
      <NameControl {...of} name="name" />
      <DescriptionControl {...of} name="description" />
    </>
  )
}
