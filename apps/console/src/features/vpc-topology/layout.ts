/** Where the parts of a VPC are in its picture. Units are pixels at full size. */
import { Graph, layout } from '@dagrejs/dagre'
import type { Nodes, SubnetNode } from './nodes.ts'
import type { Box } from '#/lib/geometry/moves.ts'
import { type NodeKind } from './nodes.ts'

export interface Line {
  from: string
  to: string
  isSecond: boolean
  /** The data of an SVG path. */
  path: string
}

export interface Layout {
  width: number
  height: number
  /** Of gateways, routers and interfaces, by id; of a subnet its head. */
  boxes: ReadonlyMap<string, Box>
  /** Of a subnet with its interfaces, by id. */
  frames: ReadonlyMap<string, Box>
  lines: Line[]
}

const card = { width: 190, height: 68 }
const cell = { width: 172, height: 62, gap: 8 }
const head = { height: 98, padding: 10 }
const margin = 16
const mostColumns = 8
/** More subnets stand below each other, to the right of their routers. */
const mostSideBySide = 3

/** Cells in a subnet's frame: rows of equal cells, about three times as many rows as columns. */
const columnsFor = (count: number): number =>
  Math.min(mostColumns, Math.max(1, Math.ceil(Math.sqrt(count / 3))))

function frameSize({ interfaces: { length } }: SubnetNode): { width: number; height: number } {
  const columns = columnsFor(length)
  const rows = Math.ceil(length / columns)
  return {
    width: Math.max(card.width, columns * (cell.width + cell.gap) - cell.gap) + 2 * head.padding,
    height: head.height + (rows === 0 ? 0 : rows * (cell.height + cell.gap) - cell.gap + head.padding),
  }
}

function cellBox(frame: Box, index: number, count: number): Box {
  const columns = columnsFor(count)
  return {
    x: frame.x + head.padding + (index % columns) * (cell.width + cell.gap),
    y: frame.y + head.height + Math.floor(index / columns) * (cell.height + cell.gap),
    width: cell.width,
    height: cell.height,
  }
}

// Holds the columns of kinds in place: what nothing leads to would stand in the first one otherwise.
const outside = 'outside'
const ranks: Partial<Record<NodeKind, number>> = { gateway: 1, router: 2, subnet: 3 }

export function layoutOf(nodes: Nodes): Layout {
  const graph = graphOf(nodes)
  layout(graph)
  const boxOf = (id: string): Box => {
    const { x = 0, y = 0, width = 0, height = 0 } = graph.node(id) as Partial<Box>
    return { x: x - width / 2, y: y - height / 2, width, height }
  }
  const cards = [...nodes.gateways, ...nodes.routers].map(({ id }) => [id, boxOf(id)] as const)
  const frames = nodes.subnets.map(({ id }) => [id, boxOf(id)] as const)
  const all = [...cards, ...frames].map(([, box]) => box)
  const corner = {
    x: Math.min(...all.map(({ x }) => x)) - margin,
    y: Math.min(...all.map(({ y }) => y)) - margin,
  }
  const moved = <T extends { x: number; y: number }>(one: T): T => ({
    ...one,
    x: one.x - corner.x,
    y: one.y - corner.y,
  })
  const left = Math.min(...frames.map(([, { x }]) => x))
  const aligned = (box: Box) => (directionOf(nodes) === 'LR' ? { ...box, x: left } : box)
  const placed = new Map(frames.map(([id, box]) => [id, moved(aligned(box))]))
  const boxes = new Map([
    ...cards.map(([id, box]) => [id, moved(box)] as const),
    ...boxesIn(nodes.subnets, placed),
  ])
  const lanes = new Map([nodes.gateways, nodes.routers].flatMap((kind) => kind.map(({ id }, i) => [id, i])))
  return {
    width: Math.max(...all.map(({ x, width }) => x + width)) - corner.x + margin,
    height: Math.max(...all.map(({ y, height }) => y + height)) - corner.y + margin,
    boxes,
    frames: placed,
    lines: nodes.links.flatMap((link) => {
      const [from, to] = [boxes.get(link.from), boxes.get(link.to)]
      const way = { direction: directionOf(nodes), lane: lanes.get(link.from) ?? 0, isSecond: link.isSecond }
      return from && to ? [{ ...link, path: pathOf([from, to], way) }] : []
    }),
  }
}

/** The heads of subnets and the cells of their interfaces. */
const boxesIn = (subnets: readonly SubnetNode[], frames: ReadonlyMap<string, Box>) =>
  subnets.flatMap(({ id, interfaces }): [string, Box][] => {
    const frame = frames.get(id)
    if (!frame) return []
    const cells = interfaces.map((one, i): [string, Box] => [one.id, cellBox(frame, i, interfaces.length)])
    const height = interfaces.length === 0 ? frame.height : head.height - head.padding
    return [[id, { ...frame, height }], ...cells]
  })

/** From left to right, or from top to bottom. */
type Direction = 'LR' | 'TB'
const directionOf = ({ subnets }: Nodes): Direction => (subnets.length > mostSideBySide ? 'LR' : 'TB')

function graphOf(nodes: Nodes): Graph {
  const { gateways, routers, subnets, links } = nodes
  const graph = new Graph()
  graph.setGraph({ rankdir: directionOf(nodes), nodesep: 20, edgesep: 8, ranksep: 64 })
  graph.setNode(outside, { width: 0, height: 0 })
  for (const { id } of [...gateways, ...routers]) graph.setNode(id, { ...card })
  for (const subnet of subnets) graph.setNode(subnet.id, frameSize(subnet))
  for (const { from, to } of links) graph.setEdge(from, to, {})
  const led = new Set(links.map(({ to }) => to))
  for (const { id, kind } of [...gateways, ...routers, ...subnets])
    if (!led.has(id)) graph.setEdge(outside, id, { minlen: ranks[kind] })
  return graph
}

/** From the middle of one side to the middle of the other: kinds follow each other, so that nothing is in between. */
function pathOf([from, to]: [Box, Box], { direction, lane, isSecond }: Way): string {
  const middle = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 })
  const [a, b] = [middle(from), middle(to)]
  if (direction === 'LR') {
    const [start, end] = [from.x + from.width, to.x]
    // Side by side where both routers of a subnet lead to it.
    const y = b.y + (isSecond ? sideOffset : 0)
    return steps({ x: start, y: a.y }, start + trunk.first + (lane % trunk.lanes) * trunk.apart, {
      x: end,
      y,
    })
  }
  const [start, end] = [from.y + from.height, to.y]
  const half = (start + end) / 2
  return `M${a.x} ${start}C${a.x} ${half} ${b.x} ${half} ${b.x} ${end}`
}

interface Way {
  direction: Direction
  /** Which of the vertical lines next to its kind the lines of a part share. */
  lane: number
  isSecond: boolean
}
const trunk = { first: 18, apart: 7, lanes: 5 }
const sideOffset = 8
const rounding = 8

/** Right to a vertical line, along it, and right again: lines from one part are one line until they branch off. */
function steps(from: { x: number; y: number }, turn: number, to: { x: number; y: number }): string {
  const r = Math.min(rounding, Math.abs(to.y - from.y) / 2)
  const down = Math.sign(to.y - from.y) * r
  const first = `M${from.x} ${from.y}H${turn - r}Q${turn} ${from.y} ${turn} ${from.y + down}`
  return `${first}V${to.y - down}Q${turn} ${to.y} ${turn + r} ${to.y}H${to.x}`
}
