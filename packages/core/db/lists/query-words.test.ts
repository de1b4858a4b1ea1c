import { columnsOf, type Columns } from '@purlin/contract/rules/query/columns'
import { filterText, isTrouble, readFilter, type Filter } from '@purlin/contract/rules/query/filter'
import { joinFilters, queryText, readQuery, splitFilters, wordsIn } from '@purlin/contract/rules/query/query'
import { describe, expect, it } from 'vitest'
import fc from '#/testing/properties.ts'

const columns: Columns = new Map([...columnsOf('instance'), ['tag', { type: 'pair', field: 'tag' }]])
const read = (one: string): Filter => {
  const filter = readFilter(columns, one)
  if (isTrouble(filter)) throw new Error(filter.message)
  return filter
}

const chars = fc.constantFrom(...Array.from('ab1 ,"\\:<>=-.é\n'))
const text = fc.string({ unit: chars, maxLength: 12 })
const choice = fc.constantFrom('state:failed', 'state:running', 'protected:true')
const compared = fc
  .tuple(
    fc.constantFrom('>', '<', '>=', '<='),
    fc.oneof(
      fc.nat(999).map((n) => ['cpus', String(n)]),
      fc
        .tuple(fc.nat(999), fc.constantFrom('', 'B', 'KiB', 'MiB', 'GiB', 'TiB'))
        .map(([n, unit]) => ['memory', `${n}${unit}`]),
      fc
        .tuple(fc.nat(999), fc.constantFrom('m', 'h', 'd', 'w'))
        .map(([n, unit]) => ['created', `${n}${unit}`]),
      fc
        .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => ['created', date.toISOString()]),
    ),
  )
  .map(([by, [name, value]]) => `${name}:${by}${value}`)
const free = fc.tuple(fc.constantFrom('name', 'tag'), text).map(([name, value]) => `${name}:a${value}`)
const filter = fc
  .tuple(fc.boolean(), fc.oneof(choice, compared, free))
  .map(([isNot, one]) => `${isNot ? '-' : ''}${one}`)
const query = fc.record({
  find: fc
    .array(fc.oneof(text, filter), { maxLength: 4 })
    .map((words) => words.join(' ').split(/\s+/).filter(Boolean).join(' ')),
  filters: fc.uniqueArray(filter, { maxLength: 5 }),
})
const runs = { numRuns: 3000 }

describe('any query', () => {
  it('is read as it was printed', () => {
    fc.assert(
      fc.property(query, (one) => {
        expect(readQuery(columns, queryText(columns, one))).toEqual({ ...one, troubles: [] })
        expect(splitFilters(joinFilters(one.filters))).toEqual(one.filters)
        for (const each of one.filters) expect(filterText(read(each))).toBe(each)
      }),
      runs,
    )
  })

  it('is read whatever its text is, with troubles at its words', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.oneof(chars, fc.constantFrom('state', 'memory', 'tag')), maxLength: 30 }),
        (typed) => {
          const { troubles, ...rest } = readQuery(columns, typed)
          const words = wordsIn(typed).map(({ start, end }) => `${start} ${end}`)
          expect(words).toEqual(expect.arrayContaining(troubles.map(({ start, end }) => `${start} ${end}`)))
          const { find, filters } = readQuery(columns, queryText(columns, rest))
          expect({ find, filters }).toEqual(rest)
        },
      ),
      runs,
    )
  })
})
