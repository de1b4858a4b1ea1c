import { expect, it } from 'vitest'
import { limits } from '@purlin/contract/rules/limits'
import { adding, moving, removing, replacing, restoring, sentOf, switching } from './changes.ts'
import { inOrder, type Rule } from '../queries.ts'
import { ruleNamed as rule } from './ruleForTests.ts'

const web = { type: 'instance' as const, value: 'web' }
const db = { type: 'instance' as const, value: 'db' }
const [a, b, c] = [rule('a', 10), rule('b', 20), rule('c', 30)]
const namesOf = (rules: readonly { name: string }[]) => rules.map(({ name }) => name)
const orderOf = (sent: readonly object[]) => namesOf(inOrder(sent as Rule[]))

it('a new rule is added to those that are stored', () => {
  expect(adding(sentOf(c))([a, b])).toEqual([a, b, c].map(sentOf))
})

it('a taken name is refused', () => {
  expect(() => adding(sentOf(a))([a, b])).toThrow('Firewall rule name already exists')
  expect(() => replacing(a, sentOf({ ...a, name: 'b' }))([a, b])).toThrow('Firewall rule name already exists')
})

it('one rule too many is refused', () => {
  const full = Array.from({ length: limits.firewall.rules }, (_, i) => rule(`r${i}`, i))
  expect(() => adding(sentOf(a))(full)).toThrow('at most 1,024')
})

it('a rule keeps its name and others keep the changes of another user', () => {
  const others = { ...b, priority: 25 }
  const changed = replacing(a, sentOf({ ...a, priority: 5 }))([a, others])
  expect(changed).toEqual([sentOf({ ...a, priority: 5 }), sentOf(others)])
})

it('changes of two users to a rule are merged unless they overlap', () => {
  const port = rule('a', 10, { filters: { ports: ['22'], protocols: [{ type: 'tcp' }] } })
  const theirs = { ...port, description: 'theirs', filters: { ...port.filters, hosts: [web] } }
  const [changed] = replacing(port, sentOf({ ...port, name: 'z', priority: 5 }))([theirs])
  expect(changed).toEqual(sentOf({ ...theirs, name: 'z', priority: 5 }))
  expect(switching(port, 'disabled')([theirs])).toMatchObject([{ description: 'theirs', status: 'disabled' }])
  const both = { ...port, description: 'mine', priority: 5, filters: { ...port.filters, hosts: [db] } }
  expect(() => replacing(port, sentOf(both))([theirs])).toThrow(
    'Another user has changed the rule a (description and host filters).',
  )
  expect(replacing(port, sentOf({ ...port, priority: 5 }))([{ ...port, priority: 5 }])).toEqual([
    sentOf({ ...port, priority: 5, filters: { ...port.filters, hosts: null } }),
  ])
})

it('ports and protocols are changed by one person at a time', () => {
  const port = rule('a', 10, { filters: { ports: ['22'], protocols: [{ type: 'tcp' }] } })
  const icmp = { ...port, filters: { protocols: [{ type: 'icmp' as const, value: null }] } }
  const more = sentOf({ ...port, filters: { ...port.filters, ports: ['22', '80'] } })
  expect(() => replacing(port, more)([icmp])).toThrow('(ports and protocols)')
})

it('a rule is not opened by two people who each take a filter away', () => {
  const narrow = rule('a', 10, { filters: { ports: ['22'], hosts: [web] } })
  const withoutPort = { ...narrow, filters: { hosts: [web] } }
  const withoutHost = { ...narrow, filters: { ports: ['22'] } }
  expect(() => replacing(narrow, sentOf(withoutPort))([withoutHost])).toThrow('Another user has changed')
  const denied = { ...withoutHost, action: 'deny' as const }
  expect(replacing(narrow, sentOf(withoutPort))([denied])).toMatchObject([{ action: 'deny' }])
})

it('a rule that another user has changed is not removed, and a removed one not changed', () => {
  expect(() => removing(a)([{ ...a, priority: 11 }])).toThrow('Another user has changed')
  for (const change of [switching(a, 'disabled'), removing(a), replacing(a, sentOf(a))])
    expect(() => change([b])).toThrow('no longer exists')
})

it('only the rule is removed or disabled', () => {
  expect(removing(a)([{ ...a, id: 'new', timeModified: new Date(1) }, b])).toEqual([sentOf(b)])
  expect(namesOf(removing(b)([a, b, c]))).toEqual(['a', 'c'])
  expect(switching(b, 'disabled')([a, b]).map(({ status }) => status)).toEqual(['enabled', 'disabled'])
})

it('a rule moves past its neighbour by exchanging priorities', () => {
  const up = moving(c, -1, [a, b, c])([a, b, c])
  expect(orderOf(up)).toEqual(['a', 'c', 'b'])
  expect(up.map(({ priority }) => priority)).toEqual([10, 30, 20])
  expect(orderOf(moving(a, 1, [a, b, c])([a, b, c]))).toEqual(['b', 'a', 'c'])
})

it('a rule stays in place if it has another neighbour now', () => {
  const seen = [a, b, c]
  const between = rule('between', 25)
  expect(() => moving(c, -1, seen)([a, b, between, c])).toThrow('has changed the order of the rules')
  expect(() => moving(c, -1, seen)([a, { ...b, priority: 40 }, c])).toThrow(
    'has changed the order of the rules',
  )
  expect(() => moving(c, -1, seen)([a, b])).toThrow('no longer exists')
  expect(orderOf(moving(c, -1, seen)([rule('first', 1), a, b, c]))).toEqual(['first', 'a', 'c', 'b'])
})

it('rules of equal priority move too, up to the highest number', () => {
  const equal = ['a', 'b', 'c', 'd'].map((name) => rule(name, 65_535))
  expect(orderOf(moving(equal[1]!, -1, equal)(equal))).toEqual(['b', 'a', 'c', 'd'])
  expect(orderOf(moving(equal[2]!, 1, equal)(equal))).toEqual(['a', 'b', 'd', 'c'])
  for (const { priority } of moving(equal[2]!, 1, equal)(equal)) expect(priority).toBeLessThanOrEqual(65_535)
})

it('a rule moves past those of its direction only', () => {
  const out = rule('out', 15, { direction: 'outbound' })
  const moved = moving(b, -1, [a, out, b])([a, out, b])
  expect(orderOf(moved.filter(({ direction }) => direction === 'inbound'))).toEqual(['b', 'a'])
  expect(moved.find(({ name }) => name === 'out')?.priority).toBe(15)
})

it('a change is taken back, and what others changed since stays', () => {
  const after = [a, rule('c', 20), rule('b', 30)]
  const back = restoring([a, b, c], after)
  expect(back(after)).toEqual([a, c, b].map(sentOf))
  const theirs = [{ ...a, description: 'theirs' }, rule('c', 20), rule('b', 30), rule('d', 40)]
  expect(back(theirs)).toEqual([sentOf(theirs[0]!), sentOf(c), sentOf(b), sentOf(rule('d', 40))])
  expect(() => back([a, rule('c', 25), rule('b', 30)])).toThrow(
    'Another user has changed the rule c (priority)',
  )
  expect(() => back([a, rule('b', 30)])).toThrow('The rule c no longer exists')
})

it('a rule that was renamed gets its name back', () => {
  const after = [a, { ...b, name: 'z', priority: 25 }]
  expect(restoring([a, b], after, { from: 'b', to: 'z' })(after)).toEqual([a, b].map(sentOf))
})
