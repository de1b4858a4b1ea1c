import { CheckboxField, type CheckboxFieldProps } from '#/ui/field/CheckboxField.tsx'
import { control } from './control.tsx'

type Props = Omit<CheckboxFieldProps, 'checked'> & { value: boolean }
const Checkbox = ({ value, ...field }: Props) => <CheckboxField {...field} checked={value} />

/** A CheckboxField of a form that holds one boolean. */
export const CheckboxControl = control(Checkbox, (value) => value === true)
