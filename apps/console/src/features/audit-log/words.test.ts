import { readQuery } from '@purlin/contract/rules/query/query'
import { columnsOf } from '@purlin/contract/rules/query/columns'
import { expect, it } from 'vitest'
import { filtersOf, spanOf } from './filters.ts'
import type { AuditFilters } from './search.ts'
import { filtersIn, wordsOf } from './words.ts'

const id = '6f0c4a5e-2b1d-4c3e-8f9a-0b1c2d3e4f5a'
const typed = (text: string, before: AuditFilters = {}) =>
  filtersIn(readQuery(columnsOf('auditLog'), text, { hasWords: false }).filters, before, 'auditLog')

it('means the filters that have a field by words', () => {
  expect(typed(`operation:disk_delete result:error time<7d actor:${id} object:web address:10.0.0.1`)).toEqual(
    {
      operation: 'disk_delete',
      result: 'error',
      last: '7d',
      actor: id,
      object: 'web',
      address: '10.0.0.1',
    },
  )
})

it('keeps other words as they are: negations, alternatives, comparisons and names of actors', () => {
  expect(typed('-operation:login_local result:error result:unknown status>=500 actor:Dana time<3d')).toEqual({
    filter: '-operation:login_local,result:error,result:unknown,status:>=500,actor:Dana,time:<3d',
  })
})

it('is the inverse of the words that it shows', () => {
  const filters: AuditFilters = {
    last: '24h',
    kind: 'disk',
    agent: 'two words',
    filter: 'status:>=500,-kind:vpc',
  }
  expect(filtersIn(wordsOf(filters), {}, 'auditLog')).toEqual(filters)
  expect(wordsOf({ last: 'all' })).toEqual([])
})

it('leaves the silo and the times of the address, unless a time is typed', () => {
  const before = { silo: 'acme', from: '2026-11-01T00:00:00.000Z' }
  expect(typed('kind:disk', before)).toEqual({ ...before, kind: 'disk' })
  expect(typed('time<24h', before)).toEqual({ silo: 'acme', last: '24h' })
})

it('asks for all times where one is typed, and leaves out what a page does not know', () => {
  expect(spanOf({ filter: 'time:>30d' }, 'fleet')).toBe('all')
  expect(spanOf({ filter: 'status:>400' }, 'fleet')).toBe('7d')
  expect(filtersOf({ filter: 'status:>400,address:10.0.0.1' }, 0, 'resource')).toMatchObject({
    filter: ['status:>400'],
  })
})

it('names words that are no filters', () => {
  const { troubles } = readQuery(columnsOf('auditLog'), 'web result:odd', { hasWords: false })
  expect(troubles.map(({ start, end }) => [start, end])).toEqual([
    [0, 3],
    [4, 14],
  ])
  expect(troubles[0]?.message).toMatch('expected a filter, by time, operation')
})
