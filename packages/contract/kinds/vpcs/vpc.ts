import { byProtection, byTime, kind, protection } from '../kind.ts'

export const vpc = kind({
  noun: 'VPC',
  type: 'vpc',
  field: 'vpc',
  parent: 'project',
  counts: { project: 500, silo: 10_000 },
  filters: byProtection,
  isTagged: true,
  orders: byTime,
  recorded: { dns_name: { field: 'dnsName' } },
  search: { list: 'vpcList', rank: 6 },
  isReferred: true,
  tasks: { change_tags: 'vpcTagsChange', ...protection('vpcProtectionUpdate'), delete: 'vpcDelete' },
})
