import { byTime, kind } from '../kind.ts'

/** The snapshots of all disks of an instance at one moment. */
export const instanceSnapshot = kind({
  noun: 'instance snapshot',
  type: 'instance-snapshot',
  field: 'instanceSnapshot',
  parent: 'instance',
  counts: { unlimited: 'each has a snapshot of every disk, and these are counted' },
  orders: byTime,
  search: { list: 'instanceSnapshotList', rank: 20 },
  isReferred: true,
})
