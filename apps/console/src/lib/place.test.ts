import { describe, expect, it } from 'vitest'
import { place } from './place.ts'

const base = {
  anchor: { left: 100, top: 100, width: 40, height: 20 },
  size: { width: 80, height: 30 },
  window: { width: 400, height: 300 },
  gap: 12,
  margin: 16,
} as const

describe('placing a floating box', () => {
  it('centres it above its anchor', () => {
    expect(place({ ...base, placement: 'top' })).toEqual({ left: 80, top: 58 })
  })
  it('turns to the other side when the wanted one has no room', () => {
    const anchor = { ...base.anchor, top: 20 }
    expect(place({ ...base, anchor, placement: 'top' }).top).toBe(52)
    const low = { ...base.anchor, top: 270 }
    expect(place({ ...base, anchor: low, placement: 'bottom-start' }).top).toBe(228)
  })
  it('lines up edges', () => {
    expect(place({ ...base, placement: 'bottom-start' })).toEqual({ left: 100, top: 132 })
    expect(place({ ...base, placement: 'bottom-end' })).toEqual({ left: 60, top: 132 })
    expect(place({ ...base, placement: 'right' })).toEqual({ left: 152, top: 95 })
  })
  it('goes to the left where there is no room at the right', () => {
    const anchor = { ...base.anchor, left: 340 }
    expect(place({ ...base, anchor, placement: 'right' }).left).toBeLessThan(anchor.left)
  })
  it('stays inside the window', () => {
    const anchor = { ...base.anchor, left: 390 }
    expect(place({ ...base, anchor, placement: 'bottom-start' }).left).toBe(304)
  })
})
