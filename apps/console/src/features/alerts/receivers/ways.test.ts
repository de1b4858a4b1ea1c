import { expect, it } from 'vitest'
import { alertLimits } from '@purlin/contract/rules/alerts/limits'
import { linesOf } from '#/lib/input/lines.ts'
import { addressesProblem } from './ways.ts'

it('addresses are lines, of which each is one and there are not too many', () => {
  expect(linesOf(' a@example.org \n\n b@example.org')).toEqual(['a@example.org', 'b@example.org'])
  expect(addressesProblem('a@example.org\nb@example.org')).toBeUndefined()
  expect(addressesProblem('a@example.org\nb')).toBe('"b" is no address such as operators@example.org')
  const many = Array.from({ length: alertLimits.addresses + 1 }, (_, i) => `ops-${i}@example.org`)
  expect(addressesProblem(many.join('\n'))).toBe('At most 20 addresses')
})
