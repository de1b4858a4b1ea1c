import type { MenuItem } from '#/ui/overlay/menuItems.ts'
import { useStore } from '#/lib/store.ts'
import { useQuickActions } from '../actions/quickActions.ts'
import { actKeys, actText } from '../acts/words.ts'
import { paletteStore } from '../address/palette.ts'
import type { Identified } from '../kind.ts'

interface RowActsProps<Row extends Identified> {
  rows: readonly Row[]
  /** The menu of a row. */
  menu: (row: Row) => readonly MenuItem[]
  labelOf: (row: Row) => string
  /** The heading of the entries. */
  group: string
}

/** Offers the menus of the rows in the palette while it is open: 'stop web-03'. */
export function RowActs<Row extends Identified>(props: RowActsProps<Row>) {
  return useStore(paletteStore) ? <OpenRowActs {...props} /> : null
}

function OpenRowActs<Row extends Identified>({ rows, menu, labelOf, group }: RowActsProps<Row>) {
  useQuickActions(
    rows.flatMap((row) =>
      menu(row).map((item) => ({
        ...item,
        ...actKeys(item.label, row.id, labelOf(row)),
        label: actText(item.label, labelOf(row)),
        group,
        act: item.label,
      })),
    ),
  )
  return null
}
