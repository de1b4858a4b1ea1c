import { describe, expect, it } from 'vitest'
import { clampNumber, isNumberDraft, numberOf, textOf } from './numberDraft.ts'

describe('a number being typed', () => {
  it('rejects characters that cannot form a number', () => {
    const free = { min: 0, integer: false }
    for (const good of ['', '1', '1.', '.5', '12.25']) expect(isNumberDraft(good, free)).toBe(true)
    for (const bad of ['-', 'a', '1e3', '1.2.3', ' 1']) expect(isNumberDraft(bad, free)).toBe(false)
  })
  it('allows a minus only where numbers below zero are allowed', () => {
    expect(isNumberDraft('-1', { min: -5, integer: true })).toBe(true)
    expect(isNumberDraft('-1', { min: 0, integer: true })).toBe(false)
  })
  it('allows a point only where decimals are allowed', () => {
    expect(isNumberDraft('1.', { min: 0, integer: true })).toBe(false)
  })
  it('is NaN until it has a digit', () => {
    expect(numberOf('')).toBeNaN()
    expect(numberOf('-')).toBeNaN()
    expect(numberOf('1.')).toBe(1)
  })
  it('is written without grouping', () => {
    expect(textOf(1_234_567)).toBe('1234567')
    expect(textOf(Number.NaN)).toBe('')
  })
  it('is clamped to its bounds', () => {
    expect(clampNumber(0.1 + 0.2, { min: 0, max: 1 })).toBe(0.3)
    expect(clampNumber(9, { min: 0, max: 5 })).toBe(5)
    expect(clampNumber(-1, { min: 0, max: 5 })).toBe(0)
  })
})
