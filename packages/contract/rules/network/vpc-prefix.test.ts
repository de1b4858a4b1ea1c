import { expect, test } from 'vitest'
import { vpcPrefixProblem } from './vpc-prefix.ts'

test.for([
  ['fd12:3456:789a::/48', undefined],
  ['fd00::/48', undefined],
  ['fd00::', 'syntax'],
  ['10.0.0.0/8', 'family'],
  ['fc00::/48', 'range'],
  ['2001:db8::/48', 'range'],
  ['fd00::/64', 'width'],
  ['fd00::1/48', 'bits'],
] as const)('the prefix %s of a VPC has problem %s', ([text, problem]) => {
  expect(vpcPrefixProblem(text)).toBe(problem)
})
