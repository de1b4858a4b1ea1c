import { describe, expect, it } from 'vitest'
import { rangeProblem, sizeOfRange, validateRangeAddress } from './ranges.ts'

const range = (first: string, last: string) => ({ first, last })

it.each([
  ['', 'Not a valid IP address'],
  ['10.0.0', 'Not a valid IP address'],
  ['fd00::1', 'IPv6 ranges are not yet supported'],
  ['fe80::1%eth0', 'An address with a zone cannot be used: leave out the % and what follows'],
  [' 10.0.0.1 ', undefined],
])('%j as an address of a range: %s', (text, message) => {
  expect(validateRangeAddress(text)).toBe(message)
})

describe('a range', () => {
  const present = [range('10.0.0.10', '10.0.0.20'), range('10.0.1.0', '10.0.1.0')]
  const overlap = 'Overlaps with the range from 10.0.0.10 to 10.0.0.20'
  it.each([
    ['10.0.0.9', '10.0.0.1', 'The last address must not be lower than the first'],
    ['10.0.0.1', '10.0.0.10', overlap],
    ['10.0.0.20', '10.0.0.30', overlap],
    ['10.0.0.12', '10.0.0.13', overlap],
    ['10.0.0.0', '10.0.0.255', overlap],
    ['10.0.1.0', '10.0.1.0', 'Overlaps with the range from 10.0.1.0 to 10.0.1.0'],
    ['10.0.0.21', '10.0.0.255', undefined],
    ['nonsense', '10.0.0.12', undefined],
    ['fd00::1', '10.0.0.12', undefined],
  ])('from %s to %s: %s', (first, last, problem) => {
    expect(rangeProblem(range(first, last), present)).toBe(problem)
  })

  it('has the addresses from the first to the last', () => {
    expect(sizeOfRange(range('10.0.0.1', '10.0.0.1'))).toBe(1)
    expect(sizeOfRange(range('10.0.0.0', '10.0.255.255'))).toBe(65_536)
    expect(sizeOfRange(range('0.0.0.0', '255.255.255.255'))).toBe(2 ** 32)
    expect(sizeOfRange(range('10.0.0.2', '10.0.0.1'))).toBeUndefined()
    expect(sizeOfRange(range('10.0.0.2', ''))).toBeUndefined()
  })
})
