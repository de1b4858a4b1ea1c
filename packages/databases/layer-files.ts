/**
 * The files of a layer, in the folder of blobs: `ID.data` is sparse and holds every byte at its own offset, `ID.map` has
 * one byte per extent, 1 if the layer has it, and `ID.qcow2` has the tables of QEMU while a machine writes to the layer.
 * While it exists, it is right and the map is not.
 */
import { join } from 'node:path'

/** Bytes of a disk that a layer has, or has not, as a whole. */
export const extent = 64 * 1024

/** In the order in which they are copied and removed: no file says that a layer has bytes that are older or gone. */
export const layerFileKinds = ['qcow2', 'map', 'data'] as const
export type LayerFileKind = (typeof layerFileKinds)[number]

/** The path of a file of a layer. */
export const layerFile = (folder: string, layer: string, kind: LayerFileKind): string =>
  join(folder, `${layer}.${kind}`)

const fileName = new RegExp(`^([0-9a-f-]{36})\\.(?:${layerFileKinds.join('|')})$`)

/** The layer that a file belongs to; undefined for other files. */
export const layerOfFile = (name: string): string | undefined => fileName.exec(name)?.[1]
