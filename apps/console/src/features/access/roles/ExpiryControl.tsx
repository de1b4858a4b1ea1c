import { serverNow } from '#/lib/clock.ts'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { expiryProblem } from '../policy.ts'

/** Until when a role or a token counts; empty for no end. */
export function ExpiryControl<V extends FieldValues>({
  control,
  name,
  of,
}: {
  control: Control<V>
  name: FieldPath<V>
  of: 'role' | 'token'
}) {
  return (
    <TextControl
      control={control}
      name={name}
      label="Expires"
      type="datetime-local"
      hint={`In your time zone. The ${of} expires at this time. Leave blank for no expiry.`}
      validate={(text) => expiryProblem(text, serverNow())}
    />
  )
}
