import { describe, expect, it } from 'vitest'
import { havePorts, icmpCodes, isPortRange, portNumbers, rangeProblem, readRange } from './firewall.ts'

it('a port filter is one to five digits, or a rising range of two', () => {
  for (const good of ['1', '65535', ' 80 ', '80-80', '80-443']) expect(isPortRange(good)).toBe(true)
  for (const bad of ['', '123456', '443-80', '80-', '-80', 'a', '1-2-3', '80 - 90'])
    expect(isPortRange(bad)).toBe(false)
})

it.each([
  ['1', { first: 1, last: 1 }],
  ['65535', { first: 65_535, last: 65_535 }],
  ['80-90', { first: 80, last: 90 }],
  ['80-80', { first: 80, last: 80 }],
  ['90-80', 'range has larger start value than end value'],
  ['-80', 'range has no start value'],
  ['80-', 'range has no end value'],
  ['', 'cannot parse integer from empty string'],
  ['x', 'invalid digit found in string'],
  ['1-2-3', 'invalid digit found in string'],
  ['+80', 'invalid digit found in string'],
  ['65536', 'number too large to fit in target type'],
  ['0', 'number would be zero for non-zero type'],
])('a rule with the ports "%s" means %o', (text, meaning) => {
  expect(readRange(text, portNumbers)).toEqual(meaning)
})

it.each([
  ['0', { first: 0, last: 0 }],
  ['3-255', { first: 3, last: 255 }],
  ['256', 'number too large to fit in target type'],
])('an ICMP filter with the code "%s" means %o', (text, meaning) => {
  expect(readRange(text, icmpCodes)).toEqual(meaning)
})

describe('problems of a range', () => {
  it.each([
    ['0', undefined],
    ['255', undefined],
    ['3-7', undefined],
    ['7-7', undefined],
    ['', 'syntax'],
    ['-3', 'syntax'],
    ['3-', 'syntax'],
    ['1e2', 'syntax'],
    ['256', 'number'],
    ['256-300', 'start'],
    ['3-256', 'end'],
    ['7-3', 'order'],
  ])('of codes: %j', (text, problem) => {
    expect(rangeProblem(text, icmpCodes)).toBe(problem)
  })
})

it('ICMP without other protocols has no ports', () => {
  expect(havePorts([{ type: 'icmp' }])).toBe(false)
  expect(havePorts([{ type: 'icmp' }, { type: 'udp' }])).toBe(true)
  expect(havePorts([])).toBe(true)
})
