import { siloList } from '@purlin/contract/operations/system-silos'
import { useQuery } from '@tanstack/react-query'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { everyPage } from '#/api/everyPage.ts'
import { roleQueries } from '#/resource/useRole.ts'
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
  const { data, isPending } = useQuery({ ...everyPage(siloList, { query: {} }), throwOnError: false })
  const own = useQuery(roleQueries.me()).data?.siloName
  const others = (data ?? []).filter((silo) => silo.name !== own)
  return (
    <ComboboxControl
      name={name}
      control={control}
      label="Silo"
      placeholder={own ?? ''}
      hint="Users of every silo can have a role on the fleet. Leave it empty for users and groups of your own."
      loading={isPending}
      onValue={onValue}
      items={others.map((silo) => ({ value: silo.name, label: silo.name }))}
    />
  )
}
