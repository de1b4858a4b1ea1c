import { byProtection, byTime, kind, protection } from '../kind.ts'

export const userDataTemplate = kind({
  noun: 'user data template',
  type: 'user-data-template',
  field: 'template',
  parent: 'project',
  counts: { project: 100 },
  filters: byProtection,
  isTagged: true,
  orders: { ...byTime, fields: { field: 'fieldCount', isNumber: true } },
  // The text may have keys and passwords.
  recorded: { text: { field: 'text', isHidden: true }, fields: { field: 'fieldsJson', isHidden: true } },
  search: { list: 'userDataTemplateList', rank: 21 },
  section: ['create', 'edit', 'clone'],
  tasks: {
    change_tags: 'userDataTemplateTagsChange',
    ...protection('userDataTemplateProtectionUpdate'),
    delete: 'userDataTemplateDelete',
  },
})
