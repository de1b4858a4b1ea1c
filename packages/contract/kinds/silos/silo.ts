import { byOperators, byTime, kind } from '../kind.ts'

export const silo = kind({
  noun: 'silo',
  type: 'silo',
  field: 'silo',
  parent: null,
  counts: byOperators,
  orders: byTime,
  search: { list: 'siloList', rank: 16 },
  isReferred: true,
})
