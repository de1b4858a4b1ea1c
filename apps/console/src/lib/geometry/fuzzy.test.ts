import { describe, expect, it } from 'vitest'
import { fuzzyFilter, fuzzyScore } from './fuzzy.ts'

const find = (query: string, ...items: string[]) => fuzzyFilter(items, query, (item) => [item])

describe('fuzzy search', () => {
  it('matches letters in order only', () => {
    expect(fuzzyScore('Floating IPs', 'fip')).toBeGreaterThan(0)
    expect(fuzzyScore('Floating IPs', 'pif')).toBe(0)
  })
  it('ignores case and spaces', () => {
    expect(find('NEW in', 'New instance')).toEqual(['New instance'])
  })
  it('prefers runs of letters and starts of words', () => {
    expect(find('disk', 'dump in sky', 'Disks')).toEqual(['Disks', 'dump in sky'])
    expect(find('ip', 'Ship', 'IP Pools')[0]).toBe('IP Pools')
  })
  it('keeps the order of equal scores, and all items for an empty query', () => {
    expect(find('a', 'ab', 'ac')).toEqual(['ab', 'ac'])
    expect(find(' ', 'b', 'a')).toEqual(['b', 'a'])
  })
  it('searches all texts of an item', () => {
    const items = [{ label: 'web', group: 'Go to instance' }]
    expect(fuzzyFilter(items, 'instance', (item) => [item.label, item.group])).toHaveLength(1)
  })
})
