import { byDisplayName, byOperators, kind } from '../kind.ts'

export const siloUser = kind({
  noun: 'user',
  type: 'silo-user',
  field: 'userId',
  isNamed: false,
  parent: 'silo',
  counts: byOperators,
  orders: byDisplayName,
  search: { list: 'userList', rank: 14 },
})
