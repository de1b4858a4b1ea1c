/** Hints of forms about addresses and networks; the contract validates them. */
import { bitsOf, ipProblem, netProblem } from '@purlin/contract/rules/network/ip'
import { vpcPrefixProblem } from '@purlin/contract/rules/network/vpc-prefix'
import type { Check } from './validate.ts'

/** Refuses anything but an IPv4 or IPv6 address, which may have a zone. */
export const validateIp: Check<string> = (text) =>
  ipProblem(text.trim()) === 'syntax' ? 'Not a valid IP address' : undefined

/** The same for an address that the API takes, which has no zone. */
export const validateIpWithoutZone: Check<string> = (text) =>
  validateIp(text) ??
  (ipProblem(text.trim()) && 'An address with a zone cannot be used: leave out the % and what follows')

/** Refuses anything but an address and a prefix width in CIDR notation. */
export const validateIpNet: Check<string> = (text) => {
  const problem = netProblem(text.trim(), { zone: true })
  if (problem === 'syntax') return 'Must contain an IP address and a width, separated by a /'
  if (problem === 'integer') return 'Width must be an integer'
  return problem && `Max width for IPv${problem} is ${bitsOf(problem)}`
}

const prefixWords = {
  family: 'Must be an IPv6 prefix',
  range: 'Must be a unique local address, which begins with fd',
  width: 'Width must be 48',
  bits: 'Must have no bits set after the first 48',
}

/** Refuses anything but a prefix that a VPC can have; it may be left blank. */
export const validateVpcPrefix: Check<string> = (text) => {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const problem = vpcPrefixProblem(trimmed)
  return problem === 'syntax'
    ? (validateIpNet(trimmed) ?? 'Not a valid IP network')
    : problem && prefixWords[problem]
}
