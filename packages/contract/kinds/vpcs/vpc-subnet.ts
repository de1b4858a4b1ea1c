import { byTime, kind } from '../kind.ts'

export const vpcSubnet = kind({
  noun: 'subnet',
  type: 'vpc-subnet',
  field: 'subnet',
  parent: 'vpc',
  counts: { vpc: 500 },
  isTagged: true,
  orders: byTime,
  recorded: { custom_router: { field: 'customRouterId', refersTo: 'vpcRouter' } },
  search: { list: 'vpcSubnetList', rank: 7 },
  isReferred: true,
  tasks: { change_tags: 'vpcSubnetTagsChange' },
})
