/** The statements of a root document that tell it from others. */
export interface RootStatements {
  version: number | undefined
  expires: Date | undefined
  /** The ids of the keys that may sign its successor, and how many of them must. */
  keyIds: readonly string[]
  threshold: number | undefined
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** The statements of a root document; none of another document. */
export function statementsOf(document: unknown): RootStatements {
  const signed = fieldOf(document, 'signed')
  const role = fieldOf(fieldOf(signed, 'roles'), 'root')
  const keyIds = fieldOf(role, 'keyids')
  const expires = fieldOf(signed, 'expires')
  const time = typeof expires === 'string' ? Date.parse(expires) : Number.NaN
  return {
    version: numberIn(fieldOf(signed, 'version')),
    expires: Number.isNaN(time) ? undefined : new Date(time),
    keyIds: Array.isArray(keyIds) ? keyIds.filter((id) => typeof id === 'string') : [],
    threshold: numberIn(fieldOf(role, 'threshold')),
  }
}

/** `1 of 2` */
export const signaturesText = ({ keyIds, threshold }: RootStatements): string | undefined =>
  threshold === undefined ? undefined : `${threshold} of ${keyIds.length}`
