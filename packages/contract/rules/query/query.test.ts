import { describe, expect, it } from 'vitest'
import { GiB } from '../limits.ts'
import { columnsOf, type Columns } from './columns.ts'
import { isTrouble, isWithin, readFilter, settledFilter, type Filter } from './filter.ts'
import { readQuery } from './query.ts'

const columns: Columns = new Map([...columnsOf('instance'), ['tag', { type: 'pair', field: 'tag' }]])

const read = (text: string): Filter => {
  const filter = readFilter(columns, text)
  if (isTrouble(filter)) throw new Error(filter.message)
  return filter
}
const troubleOf = (text: string) => {
  const filter = readFilter(columns, text)
  return isTrouble(filter) ? filter : undefined
}

describe('a filter', () => {
  it('compares numbers with units, and ages with times', () => {
    expect(read('memory:>16GiB').value).toBe(16 * GiB)
    expect(read('memory:<=1.5gib').value).toBe(1.5 * GiB)
    expect(read('memory:17179869184').value).toBe(16 * GiB)
    expect(read('-cpus:>=4')).toMatchObject({ isNot: true, by: '>=', value: 4 })
    expect(read('created:<7d').value).toEqual({ ago: 7 * 86_400_000 })
    expect(read('created:>=2026-11-21').value).toEqual({ at: Date.parse('2026-11-21T00:00:00Z') })
    expect(read('created:<2026-11-21T10:00:00+01:00').value).toEqual({
      at: Date.parse('2026-11-21T09:00:00Z'),
    })
  })

  it('names the part that is wrong', () => {
    const parts = [
      'state:odd',
      'state:>failed',
      'size:>1',
      'memory:>16GB',
      'created:7d',
      '-created:<7x',
      'x',
      'name:-',
    ]
    const wrong = parts.map((text) => {
      const { start, end } = troubleOf(text) ?? { start: 0, end: 0 }
      return text.slice(start, end)
    })
    expect(wrong).toEqual(['odd', '>failed', 'size', '16GB', '7d', '7x', 'x', '-'])
    expect(troubleOf(`name:${'a'.repeat(300)}`)?.message).toMatch('256')
    expect(troubleOf('memory:>9999999999999999TiB')?.message).toMatch('expected a size')
    expect(troubleOf('created:<2026-13-45')?.message).toMatch('expected an age')
  })

  it('means a later time by a smaller age', () => {
    const now = Date.parse('2026-11-28T00:00:00Z')
    const young = now - 1000
    expect(isWithin(read('created:<7d'), young, now)).toBe(true)
    expect(isWithin(read('created:>7d'), young, now)).toBe(false)
    expect(settledFilter(columns, '-created:<7d', now)).toBe('-created:>2026-11-21T00:00:00.000Z')
    expect(settledFilter(columns, 'state:failed', now)).toBe('state:failed')
    expect(settledFilter(columns, 'created:<999999w', now)).toBe('created:>1970-01-01T00:00:00.000Z')
  })
})

describe('a typed query', () => {
  it('has filters and words to find', () => {
    expect(
      readQuery(columns, 'web state:failed memory>16GiB created<7d -name:test tag:env=prod STATE=running'),
    ).toEqual({
      find: 'web',
      filters: [
        'state:failed',
        'memory:>16GiB',
        'created:<7d',
        '-name:test',
        'tag:env=prod',
        'state:running',
      ],
      troubles: [],
    })
    expect(readQuery(columns, 'tag:"a=b c" "state:failed" fd00::1 10.0.0.1:80 a=b -web')).toEqual({
      find: 'state:failed fd00::1 10.0.0.1:80 a=b -web',
      filters: ['tag:a=b c'],
      troubles: [],
    })
  })

  it('leaves out a word that is wrong, and says where', () => {
    const { find, filters, troubles } = readQuery(columns, 'web  memry>16GiB state:failed cpus>x')
    expect([find, filters]).toEqual(['web', ['state:failed']])
    expect(troubles.map(({ start, end }) => [start, end])).toEqual([
      [5, 16],
      [30, 36],
    ])
    expect(troubles[0]?.message).toMatch('no column "memry": there are state')
  })

  it('finds words alone in a list without columns', () => {
    expect(readQuery(new Map(), 'state:failed a>b')).toEqual({
      find: 'state:failed a>b',
      filters: [],
      troubles: [],
    })
  })
})
