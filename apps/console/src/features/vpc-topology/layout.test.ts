import { describe, expect, it } from 'vitest'
import { layoutOf } from './layout.ts'
import { moveFrom, type Box } from '#/lib/geometry/moves.ts'
import { nodesOf, type Nodes } from './nodes.ts'

/** A VPC with this many interfaces in each of its subnets; `spare` adds an unused router and gateway. */
function vpc(interfaces: readonly number[], spare = false): Nodes {
  const gateway = (id: string) => ({ id, name: id, totalIpPools: 0, totalIpAddresses: 0 })
  const subnet = (i: number, totalInterfaces: number) => ({
    id: `s${i}`,
    name: `s${i}`,
    ipv4Block: '10.0.0.0/24',
    ipv6Block: 'fd00::/64',
    customRouterId: null,
    totalInterfaces,
  })
  const nic = (subnetId: string, i: number) => ({
    id: `${subnetId}-${i}`,
    name: 'net0',
    subnetId,
    instanceId: 'i',
    instanceName: 'i',
    runState: 'running' as const,
    ip: '10.0.0.5',
    primary: true,
    externalIps: [],
  })
  const routers = [
    { id: 'r', name: 'system', kind: 'system' as const, totalRoutes: 2, gatewayIds: ['g'] },
    ...(spare ? [{ id: 'r2', name: 'spare', kind: 'custom' as const, totalRoutes: 0, gatewayIds: [] }] : []),
  ]
  return nodesOf(
    {
      gateways: spare ? [gateway('g'), gateway('g2')] : [gateway('g')],
      routers,
      subnets: interfaces.map((count, i) => subnet(i, count)),
      interfaces: interfaces.flatMap((count, i) => Array.from({ length: count }, (_, j) => nic(`s${i}`, j))),
      probes: [],
      totals: { gateways: 1, routers: 1, subnets: 0, interfaces: 0, probes: 0 },
    },
    { project: 'demo', vpc: 'main' },
  )
}

const isWithin = (a: Box, b: Box) =>
  a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height
const meet = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

describe('the layout of a VPC', () => {
  it.each([
    ['without instances', [0]],
    ['with one of each', [1]],
    ['with three subnets', [1, 40, 0]],
    ['with 30 subnets', Array.from({ length: 30 }, (_, i) => i % 7)],
    ['with 500 instances in a subnet', [500]],
  ])('%s has no part outside of the picture or over another', (_, interfaces) => {
    const nodes = vpc(interfaces, true)
    const { width, height, boxes, frames } = layoutOf(nodes)
    const all = { x: 0, y: 0, width, height }
    const cards = [...nodes.gateways, ...nodes.routers].map(({ id }) => boxes.get(id))
    const outer = [...cards, ...frames.values()].filter((box) => box !== undefined)
    expect(outer).toHaveLength(4 + interfaces.length)
    for (const [i, box] of outer.entries()) {
      expect(isWithin(box, all)).toBe(true)
      expect(outer.slice(i + 1).filter((other) => meet(box, other))).toEqual([])
    }
    for (const subnet of nodes.subnets) {
      const frame = frames.get(subnet.id)
      const inner = [subnet, ...subnet.interfaces].map(({ id }) => boxes.get(id))
      for (const [i, box] of inner.entries()) {
        if (!box || !frame) throw new Error('no box')
        expect(isWithin(box, frame)).toBe(true)
        expect(inner.slice(i + 1).some((other) => other && meet(box, other))).toBe(false)
      }
    }
  })

  it('an unconnected router and gateway are placed with the others of their kind', () => {
    const { boxes } = layoutOf(vpc([2], true))
    expect(boxes.get('r2')?.y).toBe(boxes.get('r')?.y)
    expect(boxes.get('g2')?.y).toBe(boxes.get('g')?.y)
  })

  it('every link has a line', () => {
    const { lines, boxes } = layoutOf(vpc([2, 2, 2, 2]))
    expect(lines).toHaveLength(5)
    for (const { from, to, path } of lines) {
      const [a, b] = [boxes.get(from), boxes.get(to)]
      if (!a || !b) throw new Error('no box')
      expect(path.startsWith(`M${a.x + a.width} ${a.y + a.height / 2}`)).toBe(true)
      expect(path.endsWith(`H${b.x}`)).toBe(true)
    }
  })

  it('subnets below each other begin on one line', () => {
    const { frames } = layoutOf(vpc([2, 1, 5, 40, 3, 1]))
    expect(new Set([...frames.values()].map(({ x }) => x)).size).toBe(1)
  })

  it('lines from a router are one line until they branch off, each to its subnet', () => {
    const { lines } = layoutOf(vpc([2, 1, 5, 40, 3, 1]))
    const turns = lines.filter(({ from }) => from === 'r').map(({ path }) => /Q([\d.]+) /.exec(path)?.[1])
    expect(turns).toHaveLength(6)
    expect(new Set(turns).size).toBe(1)
    expect(new Set(lines.map(({ path }) => path)).size).toBe(lines.length)
  })
})

describe('the arrow keys', () => {
  const { boxes } = layoutOf(vpc([12]))
  const walk = (from: string, ...keys: string[]) =>
    keys.reduce((id, key) => moveFrom(id, key, boxes) ?? id, from)

  it('lead from the gateway to the instances and back', () => {
    expect(walk('g', 'ArrowDown')).toBe('r')
    expect(walk('g', 'ArrowDown', 'ArrowDown')).toBe('s0')
    const cell = walk('s0', 'ArrowDown')
    expect(cell).toMatch(/^s0-[01]$/)
    expect(walk(cell, 'ArrowUp', 'ArrowUp', 'ArrowUp')).toBe('g')
  })

  it('lead along the rows and columns of a subnet, and no further', () => {
    expect(walk('s0-0', 'ArrowRight')).toBe('s0-1')
    expect(walk('s0-1', 'ArrowDown')).toBe('s0-3')
    expect(walk('s0-1', 'ArrowRight')).toBe('s0-1')
    expect(walk('s0-11', 'ArrowDown')).toBe('s0-11')
  })

  it('reach every part from the first one', () => {
    const found = new Set(['g'])
    for (const id of found)
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
        const next = moveFrom(id, key, boxes)
        if (next !== undefined) found.add(next)
      }
    expect([...found].toSorted()).toEqual([...boxes.keys()].toSorted())
  })

  it('Home and End lead to the first and the last part, other keys nowhere', () => {
    expect(moveFrom('r', 'Home', boxes)).toBe('g')
    expect(moveFrom('r', 'End', boxes)).toBe('s0-11')
    expect(moveFrom('r', 'a', boxes)).toBeUndefined()
  })
})
