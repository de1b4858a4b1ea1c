import { byOperators, byTime, kind } from '../kind.ts'

export const silo = kind({
  noun: 'silo',
  type: 'silo',
  field: 'silo',
  parent: null,
  counts: byOperators,
  orders: byTime,
  recorded: {
    quota_cpus: { field: 'quotaCpus', unit: 'vCPUs' },
    quota_memory: { field: 'quotaMemory', unit: 'bytes' },
    quota_storage: { field: 'quotaStorage', unit: 'bytes' },
    admin_group: { field: 'adminGroupName' },
  },
  search: { list: 'siloList', rank: 16 },
  isReferred: true,
})
