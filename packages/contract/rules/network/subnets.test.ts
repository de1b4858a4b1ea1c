import { describe, expect, it } from 'vitest'
import { parseNet } from './ip.ts'
import { ipv4BlockProblem, ipv6BlockProblem, overlapping } from './subnets.ts'

const net = (text: string) => parseNet(text) ?? expect.unreachable(text)

describe('the IPv4 block of a subnet', () => {
  it.each([
    ['10.0.0.0/8', undefined],
    ['172.16.0.0/12', undefined],
    ['192.168.255.192/26', undefined],
    ['fd00::/64', 'family'],
    ['172.0.0.0/8', 'private'],
    ['11.0.0.0/24', 'private'],
    ['10.0.0.0/27', 'width'],
    ['10.0.0.1/24', 'host'],
  ])('%s: %s', (text, problem) => expect(ipv4BlockProblem(net(text))).toBe(problem))
})

describe('the IPv6 block of a subnet', () => {
  it.each([
    ['fd12:3456:789a:1::/64', undefined],
    ['10.0.0.0/24', 'family'],
    ['fd12:3456:789a::/48', 'width'],
    ['fd12:3456:789b::/64', 'prefix'],
    ['fd12:3456:789a:1::1/64', 'host'],
  ])('%s: %s', (text, problem) => expect(ipv6BlockProblem(net(text), 'fd12:3456:789a::/48')).toBe(problem))
})

describe('the subnet that a block overlaps with', () => {
  const subnets = [
    { name: 'a', ipv4Block: '10.0.0.0/24', ipv6Block: 'fd00::/64' },
    { name: 'b', ipv4Block: '10.0.4.0/22', ipv6Block: 'fd00:0:0:1::/64' },
  ]
  it.each([
    ['10.0.1.0/24', undefined],
    ['10.0.0.0/16', 'a'],
    ['10.0.7.0/24', 'b'],
    ['fd00:0:0:1::/64', 'b'],
    ['fd00:0:0:2::/64', undefined],
  ])('%s: %s', (text, name) => expect(overlapping(net(text), subnets)?.name).toBe(name))
})
