import { byTime, kind } from '../kind.ts'

export const schedule = kind({
  noun: 'schedule',
  type: 'schedule',
  field: 'schedule',
  parent: 'project',
  counts: { project: 100 },
  isTagged: true,
  orders: byTime,
  recorded: {
    action: { field: 'action' },
    time: { field: 'ruleJson', form: 'times' },
    retention: { field: 'keepJson', form: 'keep' },
    resources: { field: 'instancesJson', form: 'targets' },
    paused: { field: 'timeDue', form: 'paused' },
  },
  search: { list: 'scheduleList', rank: 22 },
  section: ['create', 'edit'],
  isReferred: true,
  tasks: {
    run: 'scheduleRun',
    pause: 'scheduleUpdate',
    resume: 'scheduleUpdate',
    change_tags: 'scheduleTagsChange',
    delete: 'scheduleDelete',
  },
})
