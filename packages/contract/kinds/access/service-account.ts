import { kind } from '../kind.ts'

export const serviceAccount = kind({
  noun: 'service account',
  type: 'service-account',
  field: 'serviceAccount',
  parent: 'silo',
  scope: 'namedSilo',
  counts: { silo: 500 },
  recorded: { disabled: { field: 'isDisabled' } },
})
