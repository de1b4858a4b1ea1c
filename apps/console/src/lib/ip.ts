/** What forms say about addresses and networks; the contract judges them. */
import { bitsOf, ipProblem, netProblem } from '@purlin/contract/rules/ip'
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
