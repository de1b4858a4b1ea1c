/** Parts of the console log of a machine, each with its offset. */
const offsetBytes = 8

export function writeLogFrame(offset: number, bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(offsetBytes)
  head.writeBigUInt64BE(BigInt(offset))
  return Buffer.concat([head, bytes])
}

/** Throws for an offset that no log has. */
export function readLogFrame(frame: Buffer): { offset: number; bytes: Buffer } {
  const offset = Number(frame.readBigUInt64BE())
  if (!Number.isSafeInteger(offset)) throw new Error('the other host sends a log of an impossible length')
  return { offset, bytes: frame.subarray(offsetBytes) }
}
