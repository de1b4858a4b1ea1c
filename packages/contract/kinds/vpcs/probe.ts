import { byOperators, kind } from '../kind.ts'

export const probe = kind({
  noun: 'probe',
  type: 'probe',
  field: 'probe',
  parent: 'project',
  counts: byOperators,
  isTagged: true,
  search: { list: 'probeList', rank: 18 },
  tasks: { change_tags: 'probeTagsChange' },
})
