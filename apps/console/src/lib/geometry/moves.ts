/** Where the arrow keys lead in a picture. */

/** A part of a picture. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

const directions: Partial<Record<string, { axis: 'x' | 'y'; sign: 1 | -1 }>> = {
  ArrowLeft: { axis: 'x', sign: -1 },
  ArrowRight: { axis: 'x', sign: 1 },
  ArrowUp: { axis: 'y', sign: -1 },
  ArrowDown: { axis: 'y', sign: 1 },
}

const spanOf = ({ x, y, width, height }: Box, axis: 'x' | 'y'): [number, number] =>
  axis === 'x' ? [x, x + width] : [y, y + height]
const gap = (a: readonly [number, number], b: readonly [number, number]): number =>
  Math.max(0, a[0] - b[1], b[0] - a[1])
const middle = ([from, to]: readonly [number, number]): number => (from + to) / 2

/**
 * The box that a key leads to, by id: the nearest one in the direction of an arrow, the first for Home and the last for
 * End. Undefined if there is none, or for another key.
 */
export function moveFrom(id: string, key: string, boxes: ReadonlyMap<string, Box>): string | undefined {
  if (key === 'Home') return [...boxes.keys()][0]
  if (key === 'End') return [...boxes.keys()].at(-1)
  const direction = directions[key]
  const from = boxes.get(id)
  if (!direction || !from) return undefined
  const { axis, sign } = direction
  const across = axis === 'x' ? 'y' : 'x'
  let nearest: { id: string; distance: number } | undefined
  for (const [other, box] of boxes) {
    const [here, there] = [spanOf(from, axis), spanOf(box, axis)]
    // It must be past the edge, not merely further.
    if (other === id || (sign > 0 ? there[0] < here[1] : there[1] > here[0])) continue
    const aside = [spanOf(from, across), spanOf(box, across)] as const
    // Parts straight ahead come first; among several, the one whose middle is closest.
    const distance =
      gap(here, there) + 3 * gap(...aside) + Math.abs(middle(aside[0]) - middle(aside[1])) / 100
    if (!nearest || distance < nearest.distance) nearest = { id: other, distance }
  }
  return nearest?.id
}
