/** Finds the operation of a method and path. Empty segments do not count, and segments are decoded before they match. */
import type { OpShape } from '@purlin/contract/op'
import { fault } from '#/faults.ts'

export interface Match {
  name: string
  op: OpShape
  /** placeholders of the path, decoded, by their wire names */
  params: Record<string, string>
}

interface Node {
  literal: Map<string, Node>
  placeholder?: Node
  ops: Map<string, { name: string; op: OpShape; keys: string[] }>
}
const newNode = (): Node => ({ literal: new Map(), ops: new Map() })

/** Builds the matcher. It throws 404, 405 (with the allowed methods) and 400 for broken paths. */
export function createRouter(ops: Record<string, OpShape>): (method: string, path: string) => Match {
  const root = newNode()
  for (const [name, op] of Object.entries(ops)) add(root, name, op)
  return (method, path) => {
    if (!path.startsWith('/')) throw fault.noRoute()
    const segments = path.split('/').filter(Boolean).map(decodeSegment)
    if (segments.some((segment) => segment === '..' || segment === '.'))
      throw fault.badPath('dot segments are not allowed')
    const found = findNode(root, segments, 0)
    if (!found || found.node.ops.size === 0) throw fault.noRoute()
    const hit = found.node.ops.get(method)
    if (!hit) throw fault.noMethod([...found.node.ops.keys()].toSorted())
    return {
      name: hit.name,
      op: hit.op,
      params: Object.fromEntries(hit.keys.map((key, i) => [key, found.values[i] ?? ''])),
    }
  }
}

function add(root: Node, name: string, op: OpShape): void {
  const keys: string[] = []
  let node = root
  for (const segment of op.path.split('/').slice(1)) {
    const key = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (key) keys.push(key)
    node = key ? (node.placeholder ??= newNode()) : literalChild(node, segment)
  }
  node.ops.set(op.method, { name, op, keys })
}

function literalChild(node: Node, segment: string): Node {
  const next = node.literal.get(segment) ?? newNode()
  node.literal.set(segment, next)
  return next
}

/** The node that the segments from an index on lead to. */
function findNode(
  node: Node,
  segments: readonly string[],
  from: number,
): { node: Node; values: string[] } | undefined {
  const segment = segments[from]
  if (segment === undefined) return { node, values: [] }
  const literal = node.literal.get(segment)
  const viaLiteral = literal && findNode(literal, segments, from + 1)
  if (viaLiteral && viaLiteral.node.ops.size > 0) return viaLiteral
  if (!node.placeholder) return viaLiteral
  const viaPlaceholder = findNode(node.placeholder, segments, from + 1)
  return viaPlaceholder && { node: viaPlaceholder.node, values: [segment, ...viaPlaceholder.values] }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw fault.badPath('malformed percent-encoding')
  }
}
