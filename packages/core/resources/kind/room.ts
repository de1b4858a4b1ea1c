/** Limits on rows that are counted when one is added. */
import { fault } from '#/faults.ts'

interface Room {
  /** 'access token' */
  noun: string
  /** 'user' */
  holder: string
  most: number
}

/** Throws 507 if a holder has as many rows as it may have. */
export function checkRoom(has: number, room: Room): void {
  if (has >= room.most) throw fault.tooMany({ ...room, has })
}
