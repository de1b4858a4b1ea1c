import { byLastUse, byProtection, byTime, flag, kind, protection, recordedInstance } from '../kind.ts'

export const floatingIp = kind({
  noun: 'floating IP',
  type: 'floating-ip',
  field: 'floatingIp',
  parent: 'project',
  counts: { project: 1_000, silo: 5_000 },
  filters: { attached: flag('instanceId'), ...byProtection },
  isTagged: true,
  orders: { ...byTime, ...byLastUse, ip: { field: 'ipKey' } },
  recorded: recordedInstance,
  search: { list: 'floatingIpList', rank: 10 },
  section: ['create', 'edit'],
  tasks: {
    change_tags: 'floatingIpTagsChange',
    ...protection('floatingIpProtectionUpdate'),
    detach: 'floatingIpDetach',
    delete: 'floatingIpDelete',
  },
})
