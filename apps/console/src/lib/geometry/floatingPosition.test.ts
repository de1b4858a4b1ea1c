import { describe, expect, it } from 'vitest'
import { floatingPosition } from './floatingPosition.ts'

const base = {
  anchor: { left: 100, top: 100, width: 40, height: 20 },
  size: { width: 80, height: 30 },
  window: { width: 400, height: 300 },
  gap: 12,
  margin: 16,
} as const

describe('the position of a floating box', () => {
  it('is centred above the anchor', () => {
    expect(floatingPosition({ ...base, placement: 'top' })).toEqual({ left: 80, top: 58 })
  })
  it('flips to the other side without enough room', () => {
    const anchor = { ...base.anchor, top: 20 }
    expect(floatingPosition({ ...base, anchor, placement: 'top' }).top).toBe(52)
    const low = { ...base.anchor, top: 270 }
    expect(floatingPosition({ ...base, anchor: low, placement: 'bottom-start' }).top).toBe(228)
  })
  it('aligns edges', () => {
    expect(floatingPosition({ ...base, placement: 'bottom-start' })).toEqual({ left: 100, top: 132 })
    expect(floatingPosition({ ...base, placement: 'bottom-end' })).toEqual({ left: 60, top: 132 })
    expect(floatingPosition({ ...base, placement: 'right' })).toEqual({ left: 152, top: 95 })
  })
  it('flips to the left without enough room on the right', () => {
    const anchor = { ...base.anchor, left: 340 }
    expect(floatingPosition({ ...base, anchor, placement: 'right' }).left).toBeLessThan(anchor.left)
  })
  it('stays inside the window', () => {
    const anchor = { ...base.anchor, left: 390 }
    expect(floatingPosition({ ...base, anchor, placement: 'bottom-start' }).left).toBe(304)
  })
})
