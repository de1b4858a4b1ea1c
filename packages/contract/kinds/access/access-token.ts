import { kind } from '../kind.ts'

export const accessToken = kind({
  noun: 'access token',
  type: 'device-access-token',
  field: 'tokenId',
  isNamed: false,
  parent: 'siloUser',
  counts: { unlimited: 'valid tokens are counted when one is made, see `accessTokensOfUser`' },
  section: [],
})
