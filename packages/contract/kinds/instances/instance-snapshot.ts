import { byProtection, byTime, kind, protection } from '../kind.ts'

/** The snapshots of all disks of an instance at one moment. */
export const instanceSnapshot = kind({
  noun: 'instance snapshot',
  type: 'instance-snapshot',
  field: 'instanceSnapshot',
  parent: 'instance',
  counts: { unlimited: 'each has a snapshot of every disk, and these are counted' },
  filters: byProtection,
  isTagged: true,
  orders: byTime,
  search: { list: 'instanceSnapshotList', rank: 20 },
  isReferred: true,
  tasks: {
    change_tags: 'instanceSnapshotTagsChange',
    ...protection('instanceSnapshotProtectionUpdate'),
    delete: 'instanceSnapshotDelete',
  },
})
