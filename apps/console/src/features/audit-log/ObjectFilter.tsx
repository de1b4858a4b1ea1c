/** The filters for what was made, changed or deleted: its kind, and which one. */
import { search } from '@purlin/contract/operations/lists/search'
import { kindNames, kinds, nounOf, typeOf } from '@purlin/contract/rules/kinds'
import { searchedKinds } from '@purlin/contract/rules/lists'
import { isUuid } from '@purlin/contract/rules/names'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '#/api/query.ts'
import { capitalize } from '#/lib/text.ts'
import { useDebounced } from '#/resource/list/useDebounced.ts'
import { ComboboxField } from '#/ui/field/ComboboxField.tsx'
import { ListboxField } from '#/ui/field/ListboxField.tsx'

const siloImage = typeOf('image', { projectId: null })
const projectImage = typeOf('image', { projectId: '' })
const words: Record<string, string> = {
  [siloImage]: 'Image of the silo',
  [projectImage]: 'Image of a project',
}
const any = 'any'
const types = kindNames.flatMap((kind) => (kind === 'image' ? [siloImage, projectImage] : [kinds[kind].type]))
const kindItems = [
  { value: any, label: 'Any' },
  ...types
    .map((type) => ({ value: type, label: words[type] ?? capitalize(nounOf(type)) }))
    .toSorted((a, b) => (a.label < b.label ? -1 : 1)),
]

interface KindFilterProps {
  /** As in messages: `vpc-subnet`. */
  value: string | undefined
  onChange: (kind: string | undefined) => void
}

export const KindFilter = ({ value, onChange }: KindFilterProps) => (
  <ListboxField
    label="Kind"
    isFilter
    items={
      value === undefined || types.includes(value)
        ? kindItems
        : [...kindItems, { value, label: capitalize(nounOf(value)) }]
    }
    value={value ?? any}
    onChange={(kind) => onChange(kind === any ? undefined : kind)}
  />
)

const offered = 20
const searchedTypes = searchedKinds.map((kind) => kinds[kind].type)
/** The kind that the search knows a type by; undefined if it finds none of them. */
const searchedType = (type: string) => {
  const kindType = [siloImage, projectImage].includes(type) ? kinds.image.type : type
  return searchedTypes.find((known) => known === kindType)
}

interface ObjectFilterProps {
  kind: string | undefined
  /** The id, or a name; empty for everything. */
  value: string
  /** The name behind an id, if it is known. */
  name: string | undefined
  onChange: (object: string | undefined) => void
}

/** Which one it is: found by the search, or named, because it may be gone. */
export function ObjectFilter({ kind, value, name, onChange }: ObjectFilterProps) {
  const [text, setText] = useState('')
  const typed = text.trim()
  const debounced = useDebounced(text)
  const isFound = kind === undefined || searchedType(kind) !== undefined
  const found = useSearch(debounced, { kind, isOn: isFound })
  // After a reload nothing but the id is known.
  const byId = useSearch(value, { kind, isOn: isFound && isUuid(value) && name === undefined })
  const items = debounced === '' ? [] : (found.data?.items ?? [])
  const label = name ?? byId.data?.items.find(({ id }) => id === value)?.name ?? value
  return (
    <ComboboxField
      label="Object"
      isFilter
      placeholder="Name or ID"
      items={[
        ...items.map(({ id, type, name: itsName, parents }) => ({
          value: id,
          label: itsName,
          description: [nounOf(type), ...parents.map((one) => one.name)].join(' · '),
        })),
        // It may be gone, or not be found yet.
        ...(typed === '' || items.some(({ id }) => id === typed)
          ? []
          : [
              {
                value: typed,
                label: typed,
                description: isUuid(typed) ? 'By this ID' : 'All of this name, also gone',
              },
            ]),
      ]}
      value={value}
      chosen={value === '' ? undefined : { value, label }}
      loading={found.isFetching && !found.data}
      onSearch={setText}
      onChange={(object) => object !== value && onChange(object === '' ? undefined : object)}
    />
  )
}

function useSearch(q: string, { kind, isOn }: { kind: string | undefined; isOn: boolean }) {
  const type = kind === undefined ? undefined : searchedType(kind)
  return useQuery({
    ...query(search, { query: { q, limit: offered, ...(type === undefined ? {} : { kind: [type] }) } }),
    throwOnError: false,
    placeholderData: keepPreviousData,
    enabled: isOn && q !== '',
  })
}
