import { useQuery } from '@tanstack/react-query'
import { type Control, type FieldPath, type FieldValues, useWatch } from 'react-hook-form'
import { kinds } from '#/resource/kinds.ts'
import { usePicker } from '#/resource/form/usePicker.ts'
import { ownQueries } from '#/resource/role/useRole.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'

/** The silo that a user is searched in; empty for the own one, whose groups can be found as well. */
export function SiloControl<V extends FieldValues>({
  control,
  name,
  onValue,
}: {
  control: Control<V>
  name: FieldPath<V>
  onValue: () => void
}) {
  const own = useQuery(ownQueries.me()).data?.siloName
  const others = usePicker(kinds.silo, {
    scope: {},
    value: useWatch({ control, name }),
    by: 'name',
    except: own === undefined ? [] : [own],
  })
  return (
    <ComboboxControl
      name={name}
      control={control}
      label="Silo"
      placeholder={own ?? ''}
      hint={
        others.problem ??
        'Users of every silo can have a role on the fleet. Leave blank for users and groups of your silo.'
      }
      onValue={onValue}
      {...others.field}
    />
  )
}
