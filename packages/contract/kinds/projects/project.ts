import { byProtection, byTime, kind, protection } from '../kind.ts'

export const project = kind({
  noun: 'project',
  type: 'project',
  field: 'project',
  parent: 'silo',
  counts: { silo: 5_000 },
  filters: byProtection,
  isTagged: true,
  orders: byTime,
  search: { list: 'projectList', rank: 1 },
  section: ['create', 'edit'],
  isReferred: true,
  /** With all of its contents: a task for one project, whose items are the deletions that this takes. */
  tasks: {
    change_tags: 'projectTagsChange',
    ...protection('projectProtectionUpdate'),
    delete_all: 'projectDelete',
  },
})
