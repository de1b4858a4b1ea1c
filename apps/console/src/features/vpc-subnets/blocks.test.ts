import { describe, expect, it } from 'vitest'
import { validateBlock } from './blocks.ts'

const vpc = {
  ipv6Prefix: 'fd12:3456:789a::/48',
  subnets: [{ name: 'default', ipv4Block: '172.30.0.0/22', ipv6Block: 'fd12:3456:789a::/64' }],
}

describe('the IPv4 block', () => {
  it.each([
    ['10.0.0.0/24', undefined],
    [' 10.0.0.0/24 ', undefined],
    ['10.0.0.0', 'Must contain an IP address and a width, separated by a /'],
    ['10.0.0.0/40', 'Max width for IPv4 is 32'],
    ['fd00::/64', 'Must be an IPv4 block'],
    ['8.8.8.0/24', 'Must be within 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16'],
    ['10.0.0.0/27', 'Width must be between 8 and 26'],
    ['10.0.0.7/24', 'Must be the first address of its block: 10.0.0.0/24'],
    ['172.30.2.0/24', 'Overlaps with 172.30.0.0/22 of subnet default'],
  ])('%s: %s', (text, complaint) => expect(validateBlock(4, vpc)(text)).toBe(complaint))
})

describe('the IPv6 block', () => {
  it.each([
    ['fd12:3456:789a:1::/64', undefined],
    ['10.0.0.0/24', 'Must be an IPv6 block'],
    ['fd12:3456:789a:1::/63', 'Width must be 64'],
    ['fd00::/64', "Must be within the VPC's prefix fd12:3456:789a::/48"],
    ['fd12:3456:789a:1::7/64', 'Must be the first address of its block: fd12:3456:789a:1::/64'],
    ['fd12:3456:789a::/64', 'Overlaps with fd12:3456:789a::/64 of subnet default'],
    ['fe80::%eth0/64', 'An address with a zone cannot be used: leave out the % and what follows'],
  ])('%s: %s', (text, complaint) => expect(validateBlock(6, vpc)(text)).toBe(complaint))

  it('is not measured against a prefix that is not known', () =>
    expect(validateBlock(6, { subnets: [] })('fd00::/64')).toBeUndefined())
})
