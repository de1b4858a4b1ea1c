import { describe, expect, it } from 'vitest'
import { parseIp } from '@purlin/contract/rules/network/ip'
import { validateIp, validateIpNet, validateIpWithoutZone } from './ip.ts'

const ipVersion = (text: string) => parseIp(text, { zone: true })?.family

describe('IP addresses', () => {
  it('IPv4 is four dotted numbers from 0 to 255', () => {
    for (const good of ['0.0.0.0', '10.1.2.3', '255.255.255.255']) expect(ipVersion(good)).toBe(4)
    for (const bad of ['', '1.2.3', '1.2.3.4.5', '256.1.1.1', '1.2.3.', '01.2.3.4', 'a.b.c.d'])
      expect(ipVersion(bad)).toBeUndefined()
  })
  it('IPv6 may be full or compressed once', () => {
    for (const good of ['::', '::1', '1::', 'fd00:1:2:3:4:5:6:7', '2001:db8::8a2e:370:7334'])
      expect(ipVersion(good)).toBe(6)
    for (const bad of [
      ':',
      ':::',
      '1::2::3',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '12345::',
      'g::',
      '1:2:3:4::5:6:7:8',
    ])
      expect(ipVersion(bad)).toBeUndefined()
  })
  it('IPv6 may end in a dotted IPv4 address', () => {
    for (const good of ['::ffff:10.0.0.1', '::10.0.0.1', '64:ff9b::192.0.2.33', '1:2:3:4:5:6:1.2.3.4'])
      expect(ipVersion(good)).toBe(6)
    for (const bad of ['::ffff:10.0.0.256', '1.2.3.4::', '::1.2.3.4:5', '1:2:3:4:5:6:7:1.2.3.4'])
      expect(ipVersion(bad)).toBeUndefined()
  })
  it('a link-local IPv6 address may carry a zone', () => {
    expect(ipVersion('fe80::1%eth0')).toBe(6)
    for (const bad of ['fe80::1%', '2001:db8::1%eth0', 'fe80::1%a%b', '10.0.0.1%eth0'])
      expect(ipVersion(bad)).toBeUndefined()
  })
  it('an address that is sent has no zone', () => {
    expect(validateIp('fe80::1%eth0')).toBeUndefined()
    expect(validateIpWithoutZone('fe80::1%eth0')).toMatch('with a zone cannot be used')
    expect(validateIpWithoutZone(' fe80::1 ')).toBeUndefined()
    expect(validateIpWithoutZone('10.0.0.1%eth0')).toBe('Not a valid IP address')
  })
  it('anything else is refused', () => {
    expect(validateIp('nope')).toBe('Not a valid IP address')
    expect(validateIp(' 10.0.0.1 ')).toBeUndefined()
  })
})

describe('IP networks', () => {
  it('an address and a width pass', () => {
    for (const good of ['10.0.0.0/8', '0.0.0.0/0', '10.0.0.1/32', 'fd00::/48', '::/128'])
      expect(validateIpNet(good)).toBeUndefined()
  })
  it('both parts must be there', () => {
    for (const bad of ['', '10.0.0.0', '10.0.0.0/', '/8', '10.0.0.0/8/8', 'x/8'])
      expect(validateIpNet(bad)).toBe('Must contain an IP address and a width, separated by a /')
  })
  it('the width is a whole number within the family', () => {
    expect(validateIpNet('10.0.0.0/a')).toBe('Width must be an integer')
    expect(validateIpNet('10.0.0.0/-1')).toBe('Width must be an integer')
    expect(validateIpNet('10.0.0.0/33')).toBe('Max width for IPv4 is 32')
    expect(validateIpNet('fd00::/129')).toBe('Max width for IPv6 is 128')
  })
})
