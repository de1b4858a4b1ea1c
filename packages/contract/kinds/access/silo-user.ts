import { byOperators, kind } from '../kind.ts'

export const siloUser = kind({
  noun: 'user',
  type: 'silo-user',
  field: 'userId',
  isNamed: false,
  parent: 'silo',
  counts: byOperators,
  search: { list: 'userList', rank: 14 },
})
