import { describe, expect, it } from 'vitest'
import { checkTransitIps } from './transit-ips.ts'

const refusal = (list: string[]): string => {
  try {
    return checkTransitIps(list).join()
  } catch (error) {
    return (error as Error).message
  }
}

describe('transit IPs', () => {
  it('are kept in canonical form and in order', () => {
    expect(
      checkTransitIps(['192.168.0.0/16', 'FD00:0:0::/48', '10.0.0.1/32', '10.0.0.2/32', '1.0.0.0/32']),
    ).toEqual(['192.168.0.0/16', 'fd00::/48', '10.0.0.1/32', '10.0.0.2/32', '1.0.0.0/32'])
  })

  it.each([['0.0.0.0/0'], ['0.0.0.0/1', '128.0.0.0/1'], ['::/0']])('%s names all addresses', (...list) => {
    expect(checkTransitIps(list)).toEqual(list)
  })

  it.each([
    [['0.0.0.0/32'], 'transit IP 0.0.0.0/32 is a source-only network'],
    [['169.254.9.0/24'], 'transit IP block 169.254.9.0/24 is a link-local network'],
    [['fe80::/64'], 'transit IP block fe80::/64 is a link-local network'],
    [['255.255.255.255/32'], 'transit IP 255.255.255.255/32 is a broadcast network'],
    [['224.0.0.0/3'], 'transit IP block 224.0.0.0/3 is a multicast network'],
    [['10.0.0.1/24'], 'transit IP block 10.0.0.1/24 has a non-zero host identifier'],
    [['224.1.0.0/16'], 'transit IP block 224.1.0.0/16 is a multicast network'],
    [['ff02::1/128'], 'transit IP ff02::1/128 is a multicast network'],
    [['127.0.0.1/32'], 'transit IP 127.0.0.1/32 is a loopback network'],
    [['::1/128'], 'transit IP ::1/128 is a loopback network'],
    [
      ['10.0.0.0/8', '192.168.0.0/16', '10.1.0.0/16'],
      'transit IP block 10.1.0.0/16 overlaps with 10.0.0.0/8',
    ],
    [['10.0.0.9/32', '10.0.0.0/8'], 'transit IP 10.0.0.9/32 overlaps with 10.0.0.0/8'],
    [['fd00::/64', 'fd00::/64'], 'transit IP block fd00::/64 overlaps with fd00::/64'],
    [['0.0.0.0/0', '10.0.0.0/24', '9.0.0.0/24'], 'transit IP block 9.0.0.0/24 overlaps with 0.0.0.0/0'],
  ])('refuses %j', (list, message) => {
    expect(refusal(list)).toBe(message)
  })

  it('a long list is judged in no time', () => {
    const list = Array.from({ length: 20_000 }, (_, i) => `10.${i >> 8}.${i & 255}.0/24`)
    expect(checkTransitIps(list)).toHaveLength(20_000)
  })
})
