/** Finds the operation of a method and path. Matching is exact. */
import type { OpShape } from '@purlin/contract/op'
import { fault } from './faults.ts'

export interface Match {
  name: string
  op: OpShape
  /** placeholders of the path, decoded, by their wire names */
  params: Record<string, string>
}

interface Place {
  fixed: Map<string, Place>
  open?: Place
  ops: Map<string, { name: string; op: OpShape; keys: string[] }>
}
const newPlace = (): Place => ({ fixed: new Map(), ops: new Map() })

/** Builds the matcher. It throws 404, 405 (with what is allowed) and 400 for broken paths. */
export function createRouter(ops: Record<string, OpShape>): (method: string, path: string) => Match {
  const root = newPlace()
  for (const [name, op] of Object.entries(ops)) add(root, name, op)
  return (method, path) => {
    const segments = path.split('/').slice(1)
    if (segments.some((segment) => segment === '..' || segment === '.'))
      throw fault.badPath('dot segments are not allowed')
    const found = walk(root, segments)
    if (!found || found.place.ops.size === 0) throw fault.noRoute()
    const hit = found.place.ops.get(method)
    if (!hit) throw fault.noMethod([...found.place.ops.keys()].toSorted())
    const values = found.values.map(decodeSegment)
    return {
      name: hit.name,
      op: hit.op,
      params: Object.fromEntries(hit.keys.map((key, i) => [key, values[i] ?? ''])),
    }
  }
}

function add(root: Place, name: string, op: OpShape): void {
  const keys: string[] = []
  let place = root
  for (const segment of op.path.split('/').slice(1)) {
    const key = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (key) keys.push(key)
    place = key ? (place.open ??= newPlace()) : fixedAt(place, segment)
  }
  place.ops.set(op.method, { name, op, keys })
}

function fixedAt(place: Place, segment: string): Place {
  const next = place.fixed.get(segment) ?? newPlace()
  place.fixed.set(segment, next)
  return next
}

function walk(place: Place, segments: readonly string[]): { place: Place; values: string[] } | undefined {
  const [segment, ...rest] = segments
  if (segment === undefined) return { place, values: [] }
  const fixed = place.fixed.get(segment)
  const straight = fixed && walk(fixed, rest)
  if (straight && straight.place.ops.size > 0) return straight
  if (!place.open || segment === '') return straight
  const open = walk(place.open, rest)
  return open && { place: open.place, values: [segment, ...open.values] }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw fault.badPath('malformed percent-encoding')
  }
}
