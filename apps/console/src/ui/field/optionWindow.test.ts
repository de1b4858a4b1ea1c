import { describe, expect, it } from 'vitest'
import { drawnRows, scrollFor } from './optionWindow.ts'

const list = { count: 1000, rowHeight: 30, viewHeight: 300, scrollTop: 0, at: -1 }

describe('a long list', () => {
  it('draws what is in view, and some more', () => {
    expect(drawnRows(list)).toEqual(Array.from({ length: 18 }, (_, i) => i))
    const middle = drawnRows({ ...list, scrollTop: 15_000 })
    expect([middle[0], middle.at(-1)]).toEqual([492, 517])
    expect(drawnRows({ ...list, scrollTop: 29_700 }).at(-1)).toBe(999)
  })
  it('draws the marked row even when it was scrolled away', () => {
    expect(drawnRows({ ...list, at: 700 })).toContain(700)
    expect(drawnRows({ ...list, at: 3 }).filter((row) => row === 3)).toHaveLength(1)
    expect(drawnRows({ ...list, count: 2, at: 5 })).toEqual([0, 1])
  })
  it('scrolls no further than the marked row asks', () => {
    expect(scrollFor({ ...list, at: 5 })).toBe(0)
    expect(scrollFor({ ...list, at: 10 })).toBe(30)
    expect(scrollFor({ ...list, scrollTop: 900, at: 2 })).toBe(60)
    expect(scrollFor({ ...list, scrollTop: 900 })).toBe(900)
  })
})
