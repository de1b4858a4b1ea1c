import { describe, expect, it } from 'vitest'
import { type Column, groupSpans, nextSort, toggled, withRange, spareColumns } from './columns.ts'

describe('tables', () => {
  it('a column head sorts ascending, then descending, then ascending again', () => {
    const up = nextSort(undefined, 'name')
    const down = nextSort(up, 'name')
    expect([up, down, nextSort(down, 'name')]).toEqual([
      { column: 'name', descending: false },
      { column: 'name', descending: true },
      { column: 'name', descending: false },
    ])
    expect(nextSort(down, 'state')).toEqual({ column: 'state', descending: false })
  })
  it('neighbours of one group share a head', () => {
    const column = (id: string, group?: string): Column<unknown> => ({
      id,
      header: id,
      cell: () => id,
      ...(group ? { group } : {}),
    })
    const spans = groupSpans([column('a'), column('b', 'g'), column('c', 'g'), column('d')])
    expect(spans.map(({ group, span }) => [group, span])).toEqual([
      [undefined, 1],
      ['g', 2],
      [undefined, 1],
    ])
  })
  it('pressing a row twice leaves the selection as it was', () => {
    const once = toggled(new Set(['a']), 'b')
    expect([...once]).toEqual(['a', 'b'])
    expect([...toggled(once, 'b')]).toEqual(['a'])
  })
})

it.each([
  [[], undefined, 'b', ['b']],
  [['a'], 'a', 'c', ['a', 'b', 'c']],
  [['d'], 'd', 'b', ['d', 'b', 'c']],
  [['a', 'b', 'c', 'd'], 'b', 'c', ['a', 'd']],
  [['x', 'a'], 'x', 'b', ['x', 'a', 'b']],
])('%j, then from %s to %s with Shift: %j', (selected, from, to, all) =>
  expect([...withRange(new Set(selected), ['a', 'b', 'c', 'd'], { from, to })]).toEqual(all),
)

it('hides the most dispensable columns first, of equals the last', () => {
  const column = (id: string, spare?: number) => ({
    id,
    header: id,
    cell: () => id,
    ...(spare ? { spare } : {}),
  })
  const columns = [column('name'), column('a', 1), column('b', 3), column('c', 1), column('d', 2)]
  expect(spareColumns(columns)).toEqual(['b', 'd', 'c', 'a'])
})
