/** Lines about changes. */
import type { Node } from '@purlin/contract/schema'
import { plainText } from '../output/json.ts'
import { printable } from '@purlin/contract/commands/printable'
import { cellIn, columnsOf } from '../output/table.ts'
import type { Change } from './changes.ts'

const signs = { created: '+', updated: '~', deleted: '-' } as const

/** A change of a row as a line: its name, and the former and new values of cells. */
export function changeText(item: Node, { change, item: row, ...rest }: Change): string {
  const columns = columnsOf(item)
  const name = plainText(row['name'] ?? row['display_name'] ?? row['id'] ?? '')
  const before = 'before' in rest ? rest.before : {}
  const cells = columns
    .filter(({ wire }) => wire in before && !wire.startsWith('time_'))
    .map(
      (column) => `${column.wire.replaceAll('_', ' ')}: ${cellIn(column, before)} → ${cellIn(column, row)}`,
    )
  return `${signs[change]} ${printable([name, ...cells].join('  '))}\n`
}
