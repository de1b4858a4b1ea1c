import { kind } from '../kind.ts'

export const certificate = kind({
  noun: 'certificate',
  type: 'certificate',
  field: 'certificate',
  parent: 'silo',
  counts: { silo: 100 },
})
