import { expect, it, test } from 'vitest'
import { unlistedProblem } from '#/lib/input/entries.ts'
import {
  emptyValues,
  endProblem,
  endsOf,
  icmpCodeProblem,
  icmpTypeProblem,
  isWideOpen,
  portsOf,
  portsWithoutProtocol,
  protocolOf,
  ruleOf,
  withProtocol,
} from './values.ts'

test.for([
  ['22', ['8080', '22']],
  ['80-90', ['8080', '80-90']],
  [' 443 ', ['8080', '443']],
  ['65535', ['8080', '65535']],
  ['8000–8080', ['8080', '8000-8080']],
  ['8000 - 8080', ['8080', '8000-8080']],
  ['80, 443;8000 — 8080\n22', ['8080', '80', '443', '8000-8080', '22']],
  ['8080', ['8080']],
  ['', ['8080']],
  ['65536', 'ports are from 1 to 65535'],
  ['0', 'ports are from 1 to 65535'],
  ['1-65536', 'ports are from 1 to 65535'],
  ['90-80', 'the first port must not be greater than the last'],
  ['http', 'enter a port such as 22, or two with a dash between them'],
  ['80:90', 'two with a dash between them'],
  ['80, http', 'http: Not a valid port range'],
] as const)('ports "%s" after 8080: %s', ([text, ports]) => {
  const read = portsOf(text, ['8080'])
  if (typeof ports === 'string') expect(read).toContain(ports)
  else expect(read).toEqual(ports)
})

it('a list has at most 256 entries, and one that is listed already is no further one', () => {
  const ports = Array.from({ length: 256 }, (_, index) => String(index + 1))
  expect(portsOf('1', ports)).toEqual(ports)
  expect(portsOf('300', ports)).toBe('A rule can have at most 256 port filters')
})

it.for([
  ['80', [], 'Add this to the list, or clear it'],
  ['80', ['80'], undefined],
  ['http', ['80'], 'Not a valid port range'],
] as const)('"%s" in the box and %j in the list when the rule is saved: %s', ([text, list, problem]) => {
  const found = unlistedProblem(portsOf(text, list), list)
  if (problem) expect(found).toContain(problem)
  else expect(found).toBeUndefined()
})

test.for([
  ['', undefined],
  ['0', undefined],
  ['0-255', undefined],
  ['256', 'ICMP code must be between 0 and 255'],
  ['300-301', 'ICMP code range start must be between 0 and 255'],
  ['3-256', 'ICMP code range end must be between 0 and 255'],
  ['4-3', 'ICMP code range start must be less than or equal to range end'],
  ['all', 'ICMP code must be a number or numeric range'],
] as const)('ICMP code %s: %s', ([text, problem]) => {
  expect(icmpCodeProblem(text)).toBe(problem)
})

test.for([
  ['8', true],
  ['255', true],
  ['256', false],
  ['8abc', false],
] as const)('ICMP type %s', ([text, isGood]) => {
  expect(icmpTypeProblem(text) === undefined).toBe(isGood)
})

it('a target is checked by its type', () => {
  expect(endProblem({ type: 'ip', value: '10.0.0' }, 'default')).toBe('Not a valid IP address')
  expect(endProblem({ type: 'ip_net', value: '10.0.0.0/33' }, 'default')).toBe('Max width for IPv4 is 32')
  expect(endProblem({ type: 'instance', value: 'Web' }, 'default')).toContain('lower-case')
})

it('a rule names no VPC but its own', () => {
  expect(endProblem({ type: 'vpc', value: 'default' }, 'default')).toBeUndefined()
  expect(endProblem({ type: 'vpc', value: 'lab' }, 'default')).toBe('A rule of default can name no other VPC')
})

it('a second target is listed once, and the same name of another type is another target', () => {
  const web = { type: 'instance', value: 'web' } as const
  expect(endsOf(web, [web], 'default')).toEqual([web])
  expect(endsOf(web, [{ ...web, type: 'subnet' }], 'default')).toHaveLength(2)
  expect(endsOf({ type: 'ip', value: '10.0.0.1 10.0.0.2' }, [], 'default')).toEqual([
    { type: 'ip', value: '10.0.0.1' },
    { type: 'ip', value: '10.0.0.2' },
  ])
})

it('a draft makes the protocol that is sent', () => {
  expect(protocolOf({ type: '', icmpType: '', code: '' })).toBeUndefined()
  expect(protocolOf({ type: 'icmp', icmpType: '', code: '' })).toEqual({ type: 'icmp', value: null })
  const one = protocolOf({ type: 'icmp', icmpType: '3', code: '0' })
  expect(one).toEqual({ type: 'icmp', value: { icmpType: 3, code: '0' } })
  expect(one && withProtocol(one, [one])).toEqual([one])
  expect(one && withProtocol(one, [{ type: 'tcp' }])).toEqual([{ type: 'tcp' }, one])
})

it('ports need a protocol that has ports, or none', () => {
  const ports = { ...emptyValues, ports: ['22'] }
  expect(portsWithoutProtocol(ports)).toBeUndefined()
  expect(portsWithoutProtocol({ ...ports, protocols: [{ type: 'icmp', value: null }] })).toContain('no ports')
  expect(
    portsWithoutProtocol({ ...ports, protocols: [{ type: 'tcp' }, { type: 'icmp', value: null }] }),
  ).toBeUndefined()
})

it('a rule for all instances has no targets, and one without filters is wide open', () => {
  const values = {
    ...emptyValues,
    name: 'r',
    appliesTo: 'all' as const,
    targets: [{ type: 'ip' as const, value: '10.0.0.1' }],
  }
  expect(ruleOf(values)).toMatchObject({
    targets: [],
    status: 'enabled',
    filters: { hosts: null, ports: null },
  })
  expect(isWideOpen(values)).toBe(true)
  expect(isWideOpen({ ...values, ports: ['22'] })).toBe(false)
})
