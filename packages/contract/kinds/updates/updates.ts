import { byOperators, kind } from '../kind.ts'

export const systemUpdateTrustRoot = kind({
  noun: 'trust root',
  type: 'tuf-trust-root',
  field: 'trustRootId',
  isNamed: false,
  parent: null,
  counts: { unlimited: 'they are counted when one is made' },
})

/** Requests name one by its version. */
export const systemUpdateRepository = kind({
  noun: 'update repository',
  type: 'tuf-repo',
  field: 'systemVersion',
  isNamed: false,
  parent: null,
  counts: byOperators,
})

export const systemUpdateUpload = kind({
  noun: 'repository upload',
  type: 'tuf-repo-upload',
  field: 'uploadId',
  isNamed: false,
  parent: null,
  counts: { unlimited: 'they are counted when one is made' },
})
