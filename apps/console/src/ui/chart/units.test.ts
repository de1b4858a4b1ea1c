import { describe, expect, it } from 'vitest'
import { unitOf, type Quantity } from './units.ts'

describe('the unit of a chart', () => {
  it('follows the largest value', () => {
    const labels = (quantity: Quantity, values: number[]) =>
      values.map((value) => unitOf(quantity, value).label)
    expect(labels('bytes', [0, 1023, 1024, 5e6, 2 ** 40, 2 ** 60])).toEqual([
      'Bytes',
      'Bytes',
      'KiB',
      'MiB',
      'TiB',
      'TiB',
    ])
    expect(labels('bytesPerSecond', [1, 2e6])).toEqual(['Bytes/s', 'MiB/s'])
    expect(labels('nanoseconds', [0.5, 1500, 2e6, 3e9])).toEqual(['ns', 'µs', 'ms', 's'])
  })
  it('divides so that the axis reads small numbers', () => {
    const { divisor, full } = unitOf('bytes', 3 * 2 ** 20)
    expect(full((3 * 2 ** 20) / divisor)).toBe('3 MiB')
  })
  it('writes counts short on the axis and in full at the crosshair', () => {
    const { tick, full } = unitOf('perSecond', 1e6)
    expect([999, 1500, 1_234_567, 2e9].map(tick)).toEqual(['999', '1.5K', '1.23M', '2B'])
    expect(full(1_234_567)).toBe('1,234,567')
  })
  it('writes shares with their sign', () => {
    const { tick, full } = unitOf('percent', 40)
    expect([tick(20), full(3.1749)]).toEqual(['20%', '3.17 %'])
  })
})
