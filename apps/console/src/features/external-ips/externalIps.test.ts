import { describe, expect, it } from 'vitest'
import { externalIpLimit, reachableIps } from './externalIps.ts'

const floating = (ip: string) => ({
  kind: 'floating' as const,
  ip,
  id: ip,
  name: 'front',
  description: '',
  timeCreated: new Date(0),
  timeModified: new Date(0),
  ipPoolId: 'pool',
  projectId: 'project',
})

describe('the addresses an instance is reached at', () => {
  it('floating ones come first, SNAT is left out', () => {
    const snat = {
      kind: 'snat' as const,
      ip: '203.0.113.9',
      firstPort: 0,
      lastPort: 16_383,
      ipPoolId: 'pool',
    }
    const ephemeral = { kind: 'ephemeral' as const, ip: '203.0.113.8', ipPoolId: 'pool' }
    expect(reachableIps([snat, ephemeral, floating('203.0.113.20')])).toEqual(['203.0.113.20', '203.0.113.8'])
    expect(reachableIps([snat])).toEqual([])
  })
})

it('an instance has at most 32 of them', () => {
  expect(externalIpLimit(31)).toBeUndefined()
  expect(externalIpLimit(32)).toMatch(/maximum of 32 external IPs/)
})
