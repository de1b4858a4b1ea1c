import { byDisplayName, byOperators, kind } from '../kind.ts'

export const siloUser = kind({
  noun: 'user',
  type: 'silo-user',
  field: 'userId',
  isNamed: false,
  parent: 'silo',
  counts: byOperators,
  orders: {
    ...byDisplayName,
    last_sign_in: { field: 'timeLastSignedIn', isNumber: true, isIndexed: true, isTime: true },
  },
  search: { list: 'userList', rank: 14 },
})
