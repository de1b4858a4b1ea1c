import { describe as group, expect, it } from 'vitest'
import { cutText, describe, nodesOf, relatedTo } from './nodes.ts'
import type { Topology } from './queries.ts'

const totals = { gateways: 2, routers: 2, subnets: 2, interfaces: 3, probes: 1 }
const nic = (id: string, instanceName: string, subnetId: string) => ({
  id,
  name: `net-${id}`,
  subnetId,
  instanceId: `id-of-${instanceName}`,
  instanceName,
  runState: 'running' as const,
  ip: '10.0.0.5',
  primary: true,
  externalIps: id === 'n1' ? ['203.0.113.7'] : [],
})
const topology: Topology = {
  gateways: [
    { id: 'g1', name: 'default', totalIpPools: 1, totalIpAddresses: 2 },
    { id: 'g2', name: 'unused', totalIpPools: 0, totalIpAddresses: 0 },
  ],
  routers: [
    { id: 'r0', name: 'system', kind: 'system', totalRoutes: 3, gatewayIds: ['g1', 'left out'] },
    { id: 'r1', name: 'edge', kind: 'custom', totalRoutes: 1, gatewayIds: [] },
  ],
  subnets: [
    {
      id: 's1',
      name: 'front',
      ipv4Block: '10.0.0.0/24',
      ipv6Block: 'fd00::/64',
      customRouterId: null,
      totalInterfaces: 2,
    },
    {
      id: 's2',
      name: 'back',
      ipv4Block: '10.0.1.0/24',
      ipv6Block: 'fd01::/64',
      customRouterId: 'r1',
      totalInterfaces: 2,
    },
  ],
  interfaces: [nic('n1', 'web', 's1'), nic('n2', 'gate', 's1'), nic('n3', 'gate', 's2')],
  probes: [
    {
      id: 'p1',
      name: 'edge-1',
      subnetId: 's2',
      interfaceId: 'n4',
      ip: '10.0.1.6',
      externalIps: ['203.0.113.9'],
    },
  ],
  totals,
}
const nodes = nodesOf(topology, { project: 'demo', vpc: 'main' })

group('the parts of a VPC', () => {
  it('say what they are, and lead to their pages', () => {
    const said = [...nodes.gateways, ...nodes.routers, ...nodes.subnets].map(describe)
    expect(said).toEqual([
      'gateway default, 1 IP pool, 2 IP addresses',
      'gateway unused, nothing attached',
      'router system, system, 3 routes',
      'router edge, custom, 1 route',
      'subnet front, 10.0.0.0/24, fd00::/64, 2 interfaces',
      'subnet back, 10.0.1.0/24, fd01::/64, 2 interfaces, 1 probe',
    ])
    expect(nodes.subnets[0]?.interfaces.map(describe)).toEqual([
      'instance web, 10.0.0.5, running, 1 external at 203.0.113.7, interface net-n1',
      'instance gate, 10.0.0.5, running, interface net-n2',
    ])
    expect(nodes.subnets[1]?.interfaces[0]?.href).toBe('/projects/demo/instances/gate/networking')
    expect(nodes.probes.map(describe)).toEqual(['probe edge-1, 10.0.1.6, 203.0.113.9'])
    expect(nodes.routers[1]?.href).toBe('/projects/demo/vpcs/main/routers/edge')
  })

  it('are connected with what is listed, a custom router before that of the system', () => {
    expect(nodes.links).toEqual([
      { from: 'g1', to: 'r0', isSecond: false },
      { from: 'r0', to: 's1', isSecond: false },
      { from: 'r1', to: 's2', isSecond: false },
      { from: 'r0', to: 's2', isSecond: true },
    ])
  })

  it('are related to the way out, to what uses them, and to the other interfaces of an instance', () => {
    const related = (id: string) => [...relatedTo(id, nodes)].toSorted()
    expect(related('n1')).toEqual(['g1', 'n1', 'r0', 's1'])
    expect(related('n3')).toEqual(['g1', 'n2', 'n3', 'r0', 'r1', 's2'])
    expect(related('g1')).toEqual(['g1', 'r0', 's1', 's2'])
    expect(related('r1')).toEqual(['r1', 's2'])
    expect(related('g2')).toEqual(['g2'])
  })

  it('that were cut off are counted', () => {
    expect(cutText(topology)).toBeUndefined()
    expect(cutText({ ...topology, totals: { ...totals, subnets: 130, interfaces: 1 } })).toBe(
      'Only the first by name are shown: 2 of 130 subnets.',
    )
  })
})
