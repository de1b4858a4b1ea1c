import { byTime, kind } from '../kind.ts'

export const vpcRouter = kind({
  noun: 'router',
  type: 'vpc-router',
  field: 'router',
  parent: 'vpc',
  counts: { vpc: 200 },
  filters: { kind: { field: 'kind', values: ['system', 'custom'] } },
  isTagged: true,
  orders: byTime,
  search: { list: 'vpcRouterList', rank: 8 },
  isReferred: true,
  tasks: { change_tags: 'vpcRouterTagsChange' },
})
