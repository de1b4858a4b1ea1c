import { byTime, kind } from '../kind.ts'

export const schedule = kind({
  noun: 'schedule',
  type: 'schedule',
  field: 'schedule',
  parent: 'project',
  counts: { project: 100 },
  orders: byTime,
  search: { list: 'scheduleList', rank: 22 },
  section: ['create', 'edit'],
  isReferred: true,
  tasks: { run: 'scheduleRun', pause: 'scheduleUpdate', resume: 'scheduleUpdate', delete: 'scheduleDelete' },
})
