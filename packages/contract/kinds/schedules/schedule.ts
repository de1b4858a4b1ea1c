import { byTime, kind } from '../kind.ts'

export const schedule = kind({
  noun: 'schedule',
  type: 'schedule',
  field: 'schedule',
  parent: 'project',
  counts: { project: 100 },
  orders: byTime,
  section: ['create', 'edit'],
})
