import { kind } from '../kind.ts'

export const supportBundle = kind({
  noun: 'support bundle',
  type: 'support-bundle',
  field: 'bundleId',
  isNamed: false,
  parent: null,
  counts: { unlimited: 'they are counted when one is made' },
})
