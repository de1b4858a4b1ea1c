import { describe, expect, it } from 'vitest'
import { cx, firstOf, inSentence, labelOf, matchesLoosely, shorten } from './text.ts'

describe('text', () => {
  it('a label is made from a field name', () => {
    expect(labelOf('name')).toBe('Name')
    expect(labelOf('filters.siloName')).toBe('Silo name')
  })
  it('a title within a sentence keeps abbreviations', () => {
    expect(['Floating IPs', 'VPCs', 'SSH Keys', 'Silo Images'].map(inSentence)).toEqual([
      'floating IPs',
      'VPCs',
      'SSH keys',
      'silo images',
    ])
  })
  it('a list filter ignores case and spaces', () => {
    expect(matchesLoosely('Ubuntu 24.04', 'UBUNTU24')).toBe(true)
    expect(matchesLoosely('Ubuntu', 'deb')).toBe(false)
  })
  it('long text is cut at the end or in the middle', () => {
    expect(shorten('abcdefghij', 8)).toBe('abcdef…')
    expect(shorten('abcdefghij', 7, 'middle')).toBe('abc…hij')
    expect(shorten('abc', 3)).toBe('abc')
  })
  it('is cut between characters, never inside one', () => {
    expect(shorten('🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀', 8)).toBe('🦀🦀🦀🦀🦀🦀…')
    expect(shorten('🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀', 7, 'middle')).toBe('🦀🦀🦀…🦀🦀🦀')
    expect(shorten('🦀🦀🦀', 3)).toBe('🦀🦀🦀')
    expect(firstOf('🦀🦀🦀', 2)).toBe('🦀🦀')
    expect(firstOf('abc', 2)).toBe('ab')
  })
  it('absent class names are left out', () => {
    expect(cx('a', false, undefined, 'b')).toBe('a b')
  })
})
