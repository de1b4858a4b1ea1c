/** Names, ids and sizes. */
import { limits } from '../rules/limits.ts'
import { enumOf, integer, ref, string } from '../schema.ts'

const pattern = '^[a-z]([a-z0-9-]*[a-z0-9])?$'
export const Name = ref('Name', string({ format: 'name', pattern }))
export const Uuid = string({ format: 'uuid' })
/** Tried as an id first, then as a name. */
export const NameOrId = ref('NameOrId', string({ format: 'name-or-id' }))
export const Description = string({ maxLength: limits.description })
export const Hostname = ref('Hostname', string({ format: 'hostname' }))
/** A count of bytes. */
export const ByteCount = ref(
  'ByteCount',
  integer({ min: 0, format: 'uint64', outOfRange: 'value is too large for a byte count' }),
)
export const BlockSize = ref('BlockSize', enumOf(limits.disk.blockSizes))
