import { expect, it } from 'vitest'
import { isRuleFound } from './found.ts'
import { ruleNamed } from './ruleForTests.ts'

const rule = ruleNamed('allow-https', 120, {
  id: '5b6e4c1e-8f5a-4a6e-9f0e-1d2c3b4a5f60',
  description: 'Customers come from anywhere',
  targets: [{ type: 'instance', value: 'web-1' }],
  filters: {
    hosts: [{ type: 'ip_net', value: '203.0.113.0/24' }],
    ports: ['8000-8443'],
    protocols: [{ type: 'tcp' }, { type: 'icmp', value: { icmpType: 8, code: '0' } }],
  },
})

it.each([
  'https',
  'Customers',
  'tcp INBOUND',
  'web-1 allow',
  '203.0.113',
  '8443',
  'ip subnet',
  'type 8',
  '120',
  '',
])('a rule is found by %j', (text) => expect(isRuleFound(rule, text)).toBe(true))

it.each(['deny', 'https udp', 'web-2', 'outbound', 'httpsweb'])('a rule is not found by %j', (text) =>
  expect(isRuleFound(rule, text)).toBe(false),
)

it('a rule without filters is found by its name', () =>
  expect(isRuleFound({ ...rule, filters: {} }, 'allow-h')).toBe(true))
