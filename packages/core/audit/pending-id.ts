/** Ids of records that wait for their place in the log. */
import { newRowId } from '#/db/row-id.ts'

const digits = 12
let made = 0

/**
 * A new id (RFC 9562, version 7 or 8) whose last 48 bits count the records of this process, so that records of one
 * millisecond have an order.
 */
export const newPendingId = (making: Parameters<typeof newRowId>[0]): string => {
  const id = newRowId(making)
  const version = id[14] === '7' ? '7' : '8'
  return `${id.slice(0, 14)}${version}${id.slice(15, -digits)}${(made++).toString(16).padStart(digits, '0')}`
}

/** The number of a record in its process. */
export const countOf = ({ id }: { id: string }): number => parseInt(id.slice(-digits), 16)
