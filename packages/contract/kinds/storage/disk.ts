import {
  byLastUse,
  byProtection,
  byTime,
  bytes,
  kind,
  protection,
  recordedInstance,
  type Actions,
} from '../kind.ts'

const states = [
  'creating',
  'detached',
  'import_ready',
  'importing_from_url',
  'importing_from_bulk_writes',
  'finalizing',
  'maintenance',
  'attaching',
  'attached',
  'detaching',
  'destroyed',
  'faulted',
] as const
export type DiskState = (typeof states)[number]

const actions = {
  delete: { offered: ['detached', 'faulted'] },
  snapshot: { offered: ['attached', 'detached'] },
  grow: { offered: ['attached', 'detached'] },
  /** If it is attached, its instance must allow `rewriteDisks` as well. */
  rollBack: { offered: ['attached', 'detached'] },
  attach: { offered: ['creating', 'detached'] },
  detach: { offered: ['attached'], unchanged: ['detached'] },
  setAsBootDisk: { offered: ['attached'] },
  startImport: { offered: ['import_ready'] },
  importBlocks: { offered: ['importing_from_bulk_writes'] },
  stopImport: { offered: ['importing_from_bulk_writes'] },
  finalize: { offered: ['import_ready'] },
} as const satisfies Actions<DiskState>
export type DiskAction = keyof typeof actions

export const disk = kind({
  noun: 'disk',
  type: 'disk',
  field: 'disk',
  parent: 'project',
  counts: { project: 20_000, silo: 100_000 },
  filters: { state: { field: 'state', values: states }, ...byProtection },
  references: { image: { field: 'imageId' } },
  isTagged: true,
  orders: { ...byTime, ...byLastUse, state: { field: 'state' }, size: bytes('size') },
  recorded: { size: { field: 'size', unit: 'bytes' }, ...recordedInstance },
  search: { list: 'diskList', rank: 3 },
  isReferred: true,
  states,
  transitional: ['attaching', 'creating', 'detaching', 'finalizing'],
  actions,
  tasks: {
    change_tags: 'diskTagsChange',
    ...protection('diskProtectionUpdate'),
    snapshot: 'snapshotCreate',
    /** To an instance. */
    attach: 'instanceDiskAttach',
    /** From its instance. */
    detach: 'instanceDiskDetach',
    delete: 'diskDelete',
  },
})
