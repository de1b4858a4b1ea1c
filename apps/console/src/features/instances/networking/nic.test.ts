import { expect, it } from 'vitest'
import { nicIpProblem, nicLimit, nicNameProblem, nicToBody, transitIpsOf } from './nic.ts'

it('interfaces have different names', () => {
  expect(nicNameProblem('a', [{ name: 'a' }])).toBe('Name is already in use')
  expect(nicNameProblem('b', [{ name: 'a' }])).toBeUndefined()
})

it('an instance has at most eight', () => {
  expect(nicLimit(7)).toBeUndefined()
  expect(nicLimit(8)).toBe('An instance supports a maximum of 8 network interfaces')
})

const subnet = { ipv4Block: '172.30.0.0/22', ipv6Block: 'fd00::/64' }
it.each([
  [' ', undefined],
  [' 172.30.0.9 ', undefined],
  ['fd00::9', undefined],
  ['172.30.0', 'Not a valid IP address'],
  ['fe80::1%eth0', 'An address with a zone cannot be used: leave out the % and what follows'],
  ['10.0.0.1', 'Must be an address of 172.30.0.0/22'],
  ['fd01::1', 'Must be an address of fd00::/64'],
])('address "%s": %s', (text, problem) => expect(nicIpProblem(text, subnet)).toBe(problem))

it('a blank address is not sent', () => {
  const nic = { name: 'net0', description: '', vpcName: 'default', subnetName: 'default' }
  expect(nicToBody({ ...nic, ip: '  ' })).toEqual(nic)
  expect(nicToBody({ ...nic, ip: ' 10.0.4.9 ' })).toEqual({ ...nic, ip: '10.0.4.9' })
})

it('a transit IP is a network, and several are read from a pasted list', () => {
  expect(transitIpsOf(' 10.0.0.0/8 ', [])).toEqual(['10.0.0.0/8'])
  expect(transitIpsOf('10.0.0.0', [])).toBe('Must contain an IP address and a width, separated by a /')
  expect(transitIpsOf('10.0.0.0/8, fd00::/48', ['10.0.0.0/8'])).toEqual(['10.0.0.0/8', 'fd00::/48'])
})
