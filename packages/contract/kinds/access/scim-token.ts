import { kind } from '../kind.ts'

export const scimToken = kind({
  noun: 'SCIM token',
  type: 'scim-client-bearer-token',
  field: 'tokenId',
  isNamed: false,
  parent: 'silo',
  scope: 'namedSilo',
  counts: { unlimited: 'they are counted when one is made, see `scimTokensOfSilo`' },
})
