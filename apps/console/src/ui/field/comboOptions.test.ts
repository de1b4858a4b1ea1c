import { describe, expect, it } from 'vitest'
import { comboLeft, comboOptions, comboText, type ComboRequest } from './comboOptions.ts'

const items = [
  { value: 'u', label: 'ubuntu 24' },
  { value: 'd', label: 'debian' },
]
const request = (change: Partial<ComboRequest>): ComboRequest => ({
  items,
  value: '',
  query: undefined,
  allowCustom: false,
  isNarrowed: false,
  ...change,
})
const labels = (change: Partial<ComboRequest>) => comboOptions(request(change)).map(({ label }) => label)

describe('a combobox', () => {
  it('offers everything until something is typed', () => {
    expect(labels({ value: 'd' })).toEqual(['ubuntu 24', 'debian'])
    expect(labels({ query: ' ' })).toEqual(['ubuntu 24', 'debian'])
  })
  it('filters ignoring case and spaces, in the order of the list', () => {
    expect(labels({ query: 'UBUNTU2' })).toEqual(['ubuntu 24'])
    expect(labels({ query: 'x' })).toEqual([])
  })
  it('has the one that is chosen until something is typed, though it is not an item', () => {
    const chosen = { value: 'x', label: 'arch' }
    expect(labels({ value: 'x', chosen })).toEqual(['arch', 'ubuntu 24', 'debian'])
    expect(comboText(request({ value: 'x', chosen }))).toBe('arch')
    expect(labels({ value: 'x', chosen, query: 'ubu' })).toEqual(['ubuntu 24'])
    expect(labels({ value: 'd', chosen })).toEqual(['ubuntu 24', 'debian'])
  })
  it('does not filter where the server does', () => {
    expect(labels({ query: 'x', isNarrowed: true })).toHaveLength(2)
  })
  it('offers what was typed where custom values are allowed, but not twice', () => {
    expect(labels({ query: 'arch', allowCustom: true })).toEqual(['Custom: arch'])
    expect(labels({ query: 'debian', allowCustom: true })).toEqual(['debian'])
  })
  it('keeps what was typed on leaving only where custom values are allowed', () => {
    expect(comboLeft(request({ query: 'arch' }))).toBeUndefined()
    expect(comboLeft(request({ query: 'arch', allowCustom: true }))).toBe('arch')
    expect(comboLeft(request({ query: 'debian' }))).toBe('d')
  })
  it('shows the label of an item and a custom value as it is', () => {
    expect(comboText(request({ value: 'u' }))).toBe('ubuntu 24')
    expect(comboText(request({ value: 'arch', allowCustom: true }))).toBe('arch')
    expect(comboText(request({ value: 'gone' }))).toBe('')
  })
})
