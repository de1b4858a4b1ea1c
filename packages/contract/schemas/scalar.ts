/** Names, ids and sizes, which every family shares. */
import { limits } from '../rules/limits.ts'
import { integer, named, text, words } from '../schema.ts'

const pattern = '^[a-z]([a-z0-9-]*[a-z0-9])?$'
export const Name = named('Name', text({ format: 'name', maxLength: 63, pattern }))
export const Uuid = text({ format: 'uuid' })
/** Tried as an id first, then as a name. */
export const NameOrId = named('NameOrId', text({ format: 'name-or-id' }))
/** Length is judged where the description is stored, as a value, not as a parse failure. */
export const Description = text()
export const Hostname = named('Hostname', text({ format: 'hostname', maxLength: 253 }))
/** A count of bytes. */
export const ByteCount = named(
  'ByteCount',
  integer({ min: 0, format: 'uint64', outOfRange: 'value is too large for a byte count' }),
)
export const BlockSize = named('BlockSize', words(limits.disk.blockSizes))
