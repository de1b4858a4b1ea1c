import { byOperators, kind } from '../kind.ts'

export const probe = kind({
  noun: 'probe',
  type: 'probe',
  field: 'probe',
  parent: 'project',
  counts: byOperators,
  search: { list: 'probeList', rank: 18 },
})
