import { byLastUse, byProtection, byTime, bytes, kind, protection } from '../kind.ts'

/** One that no project owns belongs to the silo: see `typeOf`. */
export const image = kind({
  noun: 'image',
  type: 'image',
  field: 'image',
  parent: 'project',
  counts: { project: 1_000, silo: 5_000 },
  filters: byProtection,
  isTagged: true,
  orders: { ...byTime, ...byLastUse, size: bytes('size') },
  search: { list: 'imageList', rank: 4 },
  isReferred: true,
  tasks: {
    change_tags: 'imageTagsChange',
    ...protection('imageProtectionUpdate'),
    /** To the silo. */
    promote: 'imagePromote',
    /** To a project. */
    demote: 'imageDemote',
    delete: 'imageDelete',
  },
})
