import { describe, expect, it } from 'vitest'
import { generateName } from './names.ts'
import { validateName } from './validate.ts'

describe('generated names', () => {
  it('join the parts and end in six hex digits', () => {
    expect(generateName(['web', 'boot'], () => 'c0ffee')).toBe('web-boot-c0ffee')
    expect(generateName(['web'])).toMatch(/^web-[0-9a-f]{6}$/)
  })
  it('stay within 63 characters and keep a short part whole', () => {
    const name = generateName(['a'.repeat(80), 'boot'])
    expect(name).toHaveLength(63)
    expect(name).toContain('-boot-')
    expect(validateName()(name)).toBeUndefined()
  })
  it('leave out empty parts', () => {
    expect(generateName(['', 'disk'], () => '000000')).toBe('disk-000000')
  })
})
