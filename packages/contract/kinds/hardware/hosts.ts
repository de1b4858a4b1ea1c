/** Processes that run machines, and the codes with which they join. */
import { kind } from '../kind.ts'

const one = { isNamed: false, parent: null } as const

export const host = kind({
  ...one,
  noun: 'host',
  type: 'host',
  field: 'hostId',
  counts: { unlimited: 'they are counted when one joins' },
})
export const hostJoinCode = kind({
  ...one,
  noun: 'join code',
  type: 'host-join-code',
  field: 'codeId',
  counts: { unlimited: 'they are counted when one is made' },
})
