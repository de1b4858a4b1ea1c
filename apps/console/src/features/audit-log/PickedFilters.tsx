/** The filters whose values are chosen from what the server finds. */
import { userList } from '@purlin/contract/operations/silos/silos'
import { siloUserList } from '@purlin/contract/operations/access/users'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#/api/errors.ts'
import { query } from '#/api/query.ts'
import { kinds } from '#/resource/kinds.ts'
import { useDebounced } from '#/resource/list/useDebounced.ts'
import { usePicker } from '#/resource/form/usePicker.ts'
import { ComboboxField } from '#/ui/field/ComboboxField.tsx'

const offered = 50

interface ActorFilterProps {
  /** The id of the user; empty for all users. */
  value: string
  /** Their name, if it is known. */
  name: string | undefined
  /** The silo of the offered users, if it is not the present one. */
  silo: string | undefined
  onChange: (id: string | undefined) => void
}

/** The filter by actor. */
export function ActorFilter({ value, name, silo, onChange }: ActorFilterProps) {
  const [text, setText] = useState('')
  const find = useDebounced(text)
  const filters = { limit: offered, ...(find === '' ? {} : { find }) }
  const shared = { throwOnError: false, placeholderData: keepPreviousData } as const
  const own = useQuery({ ...query(userList, { query: filters }), ...shared, enabled: silo === undefined })
  const others = useQuery({
    ...query(siloUserList, { query: { ...filters, silo: silo ?? '' } }),
    ...shared,
    enabled: silo !== undefined,
  })
  const { data, error, isFetching } = silo === undefined ? own : others
  const items = (data?.items ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))
  return (
    <ComboboxField
      label="Actor"
      isFilter
      placeholder="All users"
      items={items}
      value={value}
      chosen={
        value === ''
          ? undefined
          : (items.find((one) => one.value === value) ?? { value, label: name ?? value })
      }
      loading={isFetching && !data}
      onSearch={setText}
      more={data?.nextPage ? 'There are more: keep typing to narrow them down' : undefined}
      onChange={(id) => id !== value && onChange(id === '' ? undefined : id)}
      {...(error && !data ? { hint: `Could not load the users: ${errorMessage(error)}` } : {})}
    />
  )
}

/** The silo that entries are about; an id that is in the address stays. */
export function SiloFilter({
  value,
  onChange,
}: {
  value: string
  onChange: (silo: string | undefined) => void
}) {
  const { field } = usePicker(kinds.silo, { scope: {}, value, by: 'name' })
  return (
    <ComboboxField
      label="Silo"
      isFilter
      placeholder="All silos"
      {...field}
      chosen={field.chosen ?? (value === '' ? undefined : { value, label: value })}
      value={value}
      onChange={(silo) => silo !== value && onChange(silo === '' ? undefined : silo)}
    />
  )
}
