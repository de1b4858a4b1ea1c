import { byLastUse, byProtection, byTime, bytes, kind, protection, type Actions } from '../kind.ts'

const states = ['creating', 'ready', 'faulted', 'destroyed'] as const
export type SnapshotState = (typeof states)[number]

const actions = {
  delete: { offered: ['creating', 'ready', 'faulted'] },
  createDisk: { offered: ['ready'] },
  createImage: { offered: ['ready'] },
} as const satisfies Actions<SnapshotState>
export type SnapshotAction = keyof typeof actions

export const snapshot = kind({
  noun: 'snapshot',
  type: 'snapshot',
  field: 'snapshot',
  parent: 'project',
  counts: { project: 20_000, silo: 100_000 },
  filters: { state: { field: 'state', values: states }, ...byProtection },
  isTagged: true,
  orders: { ...byTime, ...byLastUse, state: { field: 'state' }, size: bytes('size') },
  search: { list: 'snapshotList', rank: 5 },
  isReferred: true,
  states,
  transitional: ['creating'],
  actions,
  tasks: {
    change_tags: 'snapshotTagsChange',
    ...protection('snapshotProtectionUpdate'),
    delete: 'snapshotDelete',
  },
})
