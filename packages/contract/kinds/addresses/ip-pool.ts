import { byOperators, byTime, kind } from '../kind.ts'

export const ipPool = kind({
  noun: 'IP pool',
  type: 'ip-pool',
  field: 'pool',
  parent: null,
  counts: byOperators,
  orders: byTime,
  search: { list: 'ipPoolList', rank: 17 },
})
