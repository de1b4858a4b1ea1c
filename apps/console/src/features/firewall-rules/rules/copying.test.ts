import { limits } from '@purlin/contract/rules/limits'
import { expect, it } from 'vitest'
import { sentOf } from './changes.ts'
import { copying, differencesOf, ifAsSeen } from './copying.ts'
import type { Rule } from '../queries.ts'
import { ruleNamed } from './ruleForTests.ts'

const rule = (name: string, priority: number, more: Partial<Rule> = {}): Rule =>
  ruleNamed(name, priority, { targets: [{ type: 'vpc', value: 'shop' }], ...more })
const ssh = rule('allow-ssh', 10)
const web = rule('allow-web', 20, {
  targets: [{ type: 'instance', value: 'shop' }],
  filters: { hosts: [{ type: 'vpc', value: 'shop' }], ports: ['443'], protocols: null },
})
const there = [rule('allow-ssh', 99, { targets: [] }), rule('own', 5, { targets: [] })]
const of = { rules: [ssh, web], from: 'shop', to: 'lab' }

it('rules are added to those of another VPC, those of the same name replaced, and name that VPC', () => {
  const sent = copying({ ...of, mode: 'add' })(there)
  const own = { type: 'vpc', value: 'lab' }
  expect(sent).toEqual([
    sentOf(there[1]!),
    { ...sentOf(ssh), targets: [own] },
    { ...sentOf(web), filters: { ...web.filters, hosts: [own] } },
  ])
  expect(differencesOf(there, sent)).toEqual([
    { name: 'own', is: 'unchanged' },
    { name: 'allow-ssh', is: 'replaced' },
    { name: 'allow-web', is: 'added' },
  ])
})

it('rules take the place of all that another VPC has', () => {
  const sent = copying({ ...of, mode: 'replace' })(there)
  expect(sent.map(({ name }) => name)).toEqual(['allow-ssh', 'allow-web'])
  expect(differencesOf(there, sent).at(-1)).toEqual({ name: 'own', is: 'removed' })
})

it('more than a VPC can have are refused', () => {
  const full = Array.from({ length: limits.firewall.rules - 1 }, (_, i) => rule(`r${i}`, i))
  expect(() => copying({ ...of, mode: 'add' })(full)).toThrow('at most 1,024')
})

it('nothing is copied over what was not shown', () => {
  const change = ifAsSeen(there, copying({ ...of, mode: 'add' }))
  expect(change(there.toReversed())).toHaveLength(3)
  expect(() => change([...there, rule('new', 1)])).toThrow('Another user has changed the rules')
})
