/** The bytes of disks, in layers. */

/** A layer as the database knows it. */
export interface Layer {
  id: string
  /**
   * True if it was written: then its bytes must exist. False if that is not known: a layer without bytes is then
   * empty.
   */
  hasBytes: boolean
}

/** Bytes that a layer had are not there. They never read as zeros. */
export class BytesMissing extends Error {
  override name = 'BytesMissing'
  readonly layers: readonly string[]
  constructor(layers: readonly string[]) {
    super('the bytes are missing from the data folder')
    this.layers = layers
  }
}

/** It is not known yet which ranges of a layer were written: a machine writes to it, or could not let go of it. */
export class LayerOpen extends Error {
  override name = 'LayerOpen'
  readonly layer: string
  constructor(layer: string) {
    super('a machine has the layer open')
    this.layer = layer
  }
}

/**
 * Bytes of disks, in layers. A layer has the ranges that were written to it. A chain of layers, newest first, reads
 * as one volume: each byte comes from the first layer that has it, and is zero if none does. Only the first layer of
 * a chain is ever written, and never a layer that has another one above it. The database decides which layers exist:
 * here a layer begins with its first write. All calls are idempotent.
 */
export interface Blobs {
  /** Why the bytes cannot be reached from here, for people; then no other method may be called. */
  readonly unreachable?: string
  /** Why bytes can only be read here, for people; then no method that writes or removes may be called. */
  readonly readOnly?: string
  /**
   * Writes into the first layer. Zeros where the chain has no data take no space. Throws StorageFull, BytesMissing.
   */
  write(chain: readonly Layer[], offset: number, bytes: Uint8Array): Promise<void>
  /** Throws BytesMissing, LayerOpen. */
  read(chain: readonly Layer[], offset: number, length: number): Promise<Uint8Array>
  /** The layers whose bytes should exist and do not. */
  missing(chain: readonly Layer[]): Promise<string[]>
  /** Returns when everything written to the layer so far outlives a loss of power. Throws StorageFull. */
  flush(layer: string): Promise<void>
  /** Forgets a layer and frees its room. One that does not exist is already gone. */
  remove(layer: string): Promise<void>
  /** Forgets a layer but keeps its bytes for an operator, under the day of `now` (ms since 1970). */
  putAside(layer: string, now: number): Promise<void>
  /** Deletes the files that were put aside on days before that of `until` (ms since 1970). */
  dropAside(until: number): Promise<void>
  /** Every layer that takes room here. */
  list(): Promise<string[]>
  /** Room that a layer takes, in bytes. */
  used(layer: string): Promise<number>
}
