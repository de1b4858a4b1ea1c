import { describe, expect, it } from 'vitest'
import {
  liveNameComplaint,
  required,
  validateBetween,
  validateDescription,
  validateName,
  validateUnique,
} from './validate.ts'

const name = validateName('Project name')

describe('names', () => {
  it('a good name passes', () => {
    for (const good of ['a', 'web-1', 'a'.repeat(63)]) expect(name(good)).toBeUndefined()
  })
  it('an empty name is missing, unless the name is optional', () => {
    expect(name('')).toBe('Project name is required')
    expect(validateName('Name', false)('')).toBeUndefined()
  })
  it('length is reported before anything else', () => {
    expect(name('A'.repeat(64))).toBe('Must be 63 characters or fewer')
  })
  it('only lower-case letters, digits and dashes are allowed', () => {
    for (const bad of ['Web', 'we b', 'wéb', 'a_b'])
      expect(name(bad)).toBe('Can only contain lower-case letters, numbers, and dashes')
  })
  it('a name starts with a letter and does not end in a dash', () => {
    expect(name('1web')).toBe('Must start with a lower-case letter')
    expect(name('-web')).toBe('Must start with a lower-case letter')
    expect(name('web-')).toBe('Must end with a letter or number')
  })
  it('a name cannot look like a UUID', () => {
    expect(name('a35499b3-1b1f-4c1e-8a3a-0123456789ab')).toBe('Cannot be a UUID')
  })
  it('a name being typed may end in a dash for now', () => {
    expect(liveNameComplaint('web-')).toBeUndefined()
    expect(liveNameComplaint('')).toBeUndefined()
    expect(liveNameComplaint('Web')).toMatch(/lower-case/)
  })
})

describe('other fields', () => {
  it('a missing value is named by its label', () => {
    for (const blank of ['', '  ', undefined, null, Number.NaN, []])
      expect(required('Size')(blank)).toBe('Size is required')
    expect(required('Size')(0)).toBeUndefined()
  })
  it('a description has at most 512 characters', () => {
    expect(validateDescription('x'.repeat(512))).toBeUndefined()
    expect(validateDescription('🗄'.repeat(512))).toBeUndefined()
    expect(validateDescription('x'.repeat(513))).toBe('A description must be no longer than 512 characters')
  })
  it('items must be unique', () => {
    expect(validateUnique(['a', 'b'])).toBeUndefined()
    expect(validateUnique(['a', 'a'])).toBe('Items must be unique')
  })
  it('a number outside its bounds gets an error with the bound', () => {
    const size = validateBetween({ min: 1, max: 1023, unit: 'GiB' })
    expect(size(0.5)).toBe('Must be at least 1 GiB')
    expect(size(1024)).toBe('Can be at most 1023 GiB')
    expect(size(10)).toBeUndefined()
  })
})
