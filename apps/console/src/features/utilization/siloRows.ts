/** Which silos the table of utilization shows, and in what order. All of them are at hand: their sums are shown above. */
import type { siloUtilizationList } from '@purlin/contract/operations/silos/system-silos'
import type { Item } from '#/api/everyPage.ts'
import { matchesLoosely } from '#/lib/text.ts'
import type { Sort } from '#/ui/table/columns.ts'
import type { Resource } from './quota.ts'

export type Silo = Item<typeof siloUtilizationList>

/** The order by what is used of something, and by what is left of it. */
export const orderOf = { used: (of: Resource) => `used_${of}`, left: (of: Resource) => `left_${of}` }

const valueOf = (silo: Silo, column: string): number => {
  const [what, of] = column.split('_') as ['used' | 'left', Resource]
  const used = silo.provisioned[of] ?? 0
  return what === 'used' ? used : Number(silo.allocated[of] ?? 0) - used
}

/** The silos whose names match, by name by default. */
export function shownSilos(silos: readonly Silo[], find: string, { column, descending }: Sort): Silo[] {
  const sign = descending ? -1 : 1
  const byName = (a: Silo, b: Silo) => (a.siloName < b.siloName ? -1 : 1)
  const isByName = column === 'name'
  return silos
    .filter(({ siloName }) => matchesLoosely(siloName, find))
    .toSorted((a, b) =>
      isByName ? sign * byName(a, b) : sign * (valueOf(a, column) - valueOf(b, column)) || byName(a, b),
    )
}
