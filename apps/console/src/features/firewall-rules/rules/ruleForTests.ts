import type { Rule } from '../queries.ts'

/** A rule for tests with defaults; a test gives only the differences. */
export const ruleNamed = (name: string, priority: number, more: Partial<Rule> = {}): Rule => ({
  id: name,
  name,
  description: '',
  timeCreated: new Date(0),
  timeModified: new Date(0),
  vpcId: 'v',
  status: 'enabled',
  direction: 'inbound',
  action: 'allow',
  priority,
  targets: [],
  filters: { hosts: null, ports: null, protocols: null },
  ...more,
})
