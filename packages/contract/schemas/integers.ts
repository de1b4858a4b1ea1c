/** Integers by width. Those of 64 bits are limited to what JavaScript represents exactly. */
import { integer, type Node } from '../schema.ts'

type Integer = Extract<Node, { kind: 'integer' }>

/** The maximum of an integer if it is less than its width allows; undefined otherwise. */
export function ownMaximum({ max, format }: Pick<Integer, 'max' | 'format'>): number | undefined {
  const bits = Number(format.replace(/\D+/, '')) - (format.startsWith('u') ? 0 : 1)
  return max < Math.min(2 ** bits - 1, Number.MAX_SAFE_INTEGER) ? Number(max) : undefined
}

export const int8 = integer({ min: -0x80, max: 0x7f, format: 'int8' })
export const uint8 = integer({ min: 0, max: 0xff, format: 'uint8' })
export const int16 = integer({ min: -0x80_00, max: 0x7f_ff, format: 'int16' })
export const uint16 = integer({ min: 0, max: 0xff_ff, format: 'uint16' })
export const int32 = integer({ min: -0x80_00_00_00, max: 0x7f_ff_ff_ff, format: 'int32' })
export const uint32 = integer({ min: 0, max: 0xff_ff_ff_ff, format: 'uint32' })
export const int64 = integer()
export const uint64 = integer({ min: 0, format: 'uint64' })
