import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { kinds } from '#/resource/kinds.ts'
import { lookUpQuery } from '#/resource/kind.ts'
import { ListboxField } from '#/ui/field/ListboxField.tsx'
import type { ReportSearch } from './search.ts'

// No silo has such a name.
const all = '*'

/** Chooses the silo of the fleet whose use is shown, or all of them. */
export function SiloChoice({ search }: { search: ReportSearch }) {
  const navigate = useNavigate()
  const { silo, by: _, ...others } = search
  const { data } = useQuery({ ...lookUpQuery(kinds.silo, {}), throwOnError: false })
  const names = (data?.items ?? []).map(({ name }) => name)
  // One that is deleted, or beyond those that are looked up, comes from a row of the report.
  const more = silo === undefined || names.includes(silo) ? [] : [silo]
  return (
    <ListboxField
      label="Choose a silo"
      hideLabel
      className="w-48"
      items={[
        { value: all, label: 'All silos' },
        ...[...more, ...names].map((name) => ({ value: name, label: name })),
      ]}
      value={silo ?? all}
      onChange={(next) =>
        void navigate({
          to: '.',
          search: { ...others, ...(next === all ? {} : { silo: next }) },
          resetScroll: false,
        })
      }
    />
  )
}
