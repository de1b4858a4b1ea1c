import { filtersOf } from '@purlin/contract/rules/lists'
import { splitFilters } from '@purlin/contract/rules/query/query'
import { cx } from '#/lib/text.ts'
import type { Found } from './listPage.ts'
import { usePaging } from './paging.ts'

/** The labels of flags. */
const words: Readonly<Record<string, string>> = {
  'attached:true': 'attached',
  'attached:false': 'not attached',
  'protected:true': 'protected',
  'protected:false': 'not protected',
  'role:none': 'no role',
}
const textOf = (filter: string): string =>
  words[filter] ?? filter.slice(filter.indexOf(':') + 1).replaceAll('_', ' ')

/** The values of columns that have few, with how many rows have each: those that are pressed are shown. */
export function ListFilters({ kind, totals }: { kind: string; totals: Found['totals'] }) {
  const { search, setFilter } = usePaging()
  const pressed = splitFilters(search.filter ?? '')
  const countOf = (filter: string): number => {
    const [column = '', value = ''] = filter.split(':')
    return totals?.[column]?.[value] ?? 0
  }
  const used = filtersOf(kind).filter((one) => countOf(one) > 0 || pressed.includes(one))
  const columnOf = (filter: string) => filter.split(':')[0]
  // One value for all rows divides nothing.
  const offered = used.filter(
    (one) =>
      pressed.includes(one) || used.some((other) => other !== one && columnOf(other) === columnOf(one)),
  )
  if (offered.length === 0) return null
  return (
    <div role="group" aria-label="Filters" className="flex flex-wrap items-center gap-1.5">
      {offered.map((one) => {
        const isPressed = pressed.includes(one)
        return (
          <button
            key={one}
            type="button"
            aria-pressed={isPressed}
            onClick={() =>
              setFilter(isPressed ? pressed.filter((other) => other !== one) : [...pressed, one])
            }
            className={cx(
              'inline-flex h-control-sm items-center gap-1.5 rounded-md border px-2 text-hint whitespace-nowrap',
              isPressed
                ? 'border-accent bg-accent-soft text-accent-text'
                : 'border-line bg-raised text-secondary hover:border-line-strong hover:text-ink',
            )}
          >
            {textOf(one)}
            <span className="mono tabular-nums">{countOf(one).toLocaleString()}</span>
          </button>
        )
      })}
    </div>
  )
}
