import { describe, expect, it } from 'vitest'
import { memoizeRecent } from './memoize.ts'

describe('the cache of the last texts', () => {
  const open = (most: number) => {
    const made: string[] = []
    const get = memoizeRecent(most, (text) => {
      made.push(text)
      if (text === 'broken') throw new Error('cannot be parsed')
      return { text }
    })
    return { made, get }
  }

  it('is made once', () => {
    const { made, get } = open(2)
    expect(get('a')).toBe(get('a'))
    expect(made).toEqual(['a'])
  })

  it('is bounded: the text that was used longest ago is forgotten first', () => {
    const { made, get } = open(2)
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) get(text)
    expect(made).toEqual(['a', 'b', 'c', 'b'])
  })

  it('has no long texts, and none that failed', () => {
    const { made, get } = open(2)
    const long = 'x'.repeat(1025)
    for (const text of [long, long]) get(text)
    for (const text of ['broken', 'broken']) expect(() => get(text)).toThrow('cannot be parsed')
    expect(made).toEqual([long, long, 'broken', 'broken'])
  })
})
