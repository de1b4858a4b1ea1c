import { kind } from '../kind.ts'

export const secondFactor = kind({
  noun: 'second factor',
  type: 'second-factor',
  field: 'factor',
  parent: 'siloUser',
  counts: { siloUser: 20 },
})
