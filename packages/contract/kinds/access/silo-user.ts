import { roles } from '#/rules/roles.ts'
import { byDisplayName, byOperators, kind } from '../kind.ts'

export const siloUser = kind({
  noun: 'user',
  type: 'silo-user',
  field: 'userId',
  isNamed: false,
  parent: 'silo',
  counts: byOperators,
  // The role that is assigned to the user itself on the silo; the strongest is first.
  filters: { role: { field: 'siloRole', values: [...roles, 'none'] } },
  orders: {
    ...byDisplayName,
    role: { field: 'siloRoleRank' },
    last_sign_in: { field: 'timeLastSignedIn', isNumber: true, isIndexed: true, isTime: true },
  },
  search: { list: 'userList', rank: 14 },
})
