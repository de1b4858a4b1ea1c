/** Names, ids and sizes, which every family shares. */
import { limits } from '../rules/limits.ts'
import { descriptionMaxLength, hostnameMaxLength, hostnameProblem, isUuid, nameMaxLength, nameProblem } from '../rules/names.ts'
import { integer, named, text, words } from '../schema.ts'

export const Name = named(
  'Name',
  text({ check: nameProblem, maxLength: nameMaxLength, pattern: '^[a-z]([a-z0-9-]*[a-z0-9])?$' }),
)
export const Uuid = text({ format: 'uuid', check: (value) => (isUuid(value) ? undefined : uuidProblem(value)) })
const uuidProblem = (value: string): string => `UUID parsing failed: "${value.slice(0, 80)}" is not a UUID`
/** Tried as an id first, then as a name. */
export const NameOrId = named(
  'NameOrId',
  text({ check: (value) => (isUuid(value) ? undefined : nameProblem(value)) }),
)
/** Length is judged where the description is stored, as a value, not as a parse failure. */
export const Description = text()
export const descriptionLimit = descriptionMaxLength
export const Hostname = named('Hostname', text({ check: hostnameProblem, maxLength: hostnameMaxLength }))
/** A count of bytes. */
export const ByteCount = named(
  'ByteCount',
  integer({ min: 0, format: 'uint64', outOfRange: 'value is too large for a byte count' }),
)
export const BlockSize = named('BlockSize', words(limits.disk.blockSizes))
