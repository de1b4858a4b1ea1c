/** Names, ids and sizes. */
import { limits } from '../rules/limits.ts'
import { enumOf, exactInt64, ref, roundedInt64, string } from '../schema.ts'

const pattern = '^[a-z]([a-z0-9-]*[a-z0-9])?$'
export const Name = ref('Name', string({ format: 'name', pattern }))
export const Uuid = string({ format: 'uuid' })
/** Tried as an id first, then as a name. */
export const NameOrId = ref('NameOrId', string({ format: 'name-or-id' }))
export const Description = string({ maxLength: limits.description })
export const Hostname = ref('Hostname', string({ format: 'hostname' }))
const bytes = { min: 0, format: 'uint64', tooLarge: 'value is too large for a byte count' } as const
/** A count of bytes. */
export const ByteCount = ref('ByteCount', roundedInt64(bytes))
/** A count of bytes that operators choose freely. */
export const ExactByteCount = ref('ByteCount', exactInt64({ ...bytes, negativeIsRule: true }))
export const BlockSize = ref('BlockSize', enumOf(limits.disk.blockSizes))
