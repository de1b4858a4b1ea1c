/** Chains of layers for QEMU's tools, which take an image as one argument. */
import type { BlockNode } from '../layers/layers.ts'

/** The name of an image for them: each node has the one below in itself. */
export function imageOf(nodes: readonly BlockNode[]): string {
  let image: object = {}
  for (const node of nodes) image = typeof node.backing === 'string' ? { ...node, backing: image } : node
  return `json:${JSON.stringify(image)}`
}
