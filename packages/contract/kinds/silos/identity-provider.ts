import { kind } from '../kind.ts'

export const identityProvider = kind({
  noun: 'identity provider',
  type: 'identity-provider',
  field: 'provider',
  parent: 'silo',
  scope: 'namedSilo',
  counts: { silo: 16 },
})
