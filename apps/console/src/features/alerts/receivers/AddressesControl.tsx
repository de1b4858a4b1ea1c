import { alertLimits } from '@purlin/contract/rules/alerts/limits'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { TextAreaControl } from '#/ui/form/TextAreaControl.tsx'
import { addressesProblem } from './ways.ts'

/** The field for the addresses of a receiver by e-mail. */
export const AddressesControl = <V extends FieldValues>(of: { name: FieldPath<V>; control: Control<V> }) => (
  <TextAreaControl
    {...of}
    label="Addresses"
    required
    hint={`One address in each line, ${alertLimits.addresses} at most.`}
    validate={addressesProblem}
  />
)
