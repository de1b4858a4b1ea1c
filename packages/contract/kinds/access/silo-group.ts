import { byDisplayName, byOperators, kind } from '../kind.ts'

export const siloGroup = kind({
  noun: 'group',
  type: 'silo-group',
  field: 'groupId',
  isNamed: false,
  parent: 'silo',
  counts: byOperators,
  orders: byDisplayName,
  search: { list: 'groupList', rank: 15 },
})
