import { byOperators, kind } from '../kind.ts'

export const siloUser = kind({
  noun: 'user',
  type: 'silo-user',
  field: 'userId',
  parent: 'silo',
  counts: byOperators,
  search: { list: 'userList', rank: 14 },
})
