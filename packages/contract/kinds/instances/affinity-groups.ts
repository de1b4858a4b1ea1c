import { kind } from '../kind.ts'

const common = { parent: 'project', counts: { project: 1_000 }, isTagged: true } as const

export const affinityGroup = kind({
  ...common,
  noun: 'affinity group',
  type: 'affinity-group',
  field: 'affinityGroup',
  search: { list: 'affinityGroupList', rank: 12 },
  tasks: { change_tags: 'affinityGroupTagsChange' },
})
export const antiAffinityGroup = kind({
  ...common,
  noun: 'anti-affinity group',
  type: 'anti-affinity-group',
  field: 'antiAffinityGroup',
  search: { list: 'antiAffinityGroupList', rank: 11 },
  tasks: { change_tags: 'antiAffinityGroupTagsChange' },
})
