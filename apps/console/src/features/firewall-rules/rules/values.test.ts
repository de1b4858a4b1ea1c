import { expect, it, test } from 'vitest'
import {
  emptyValues,
  endProblem,
  icmpCodeProblem,
  icmpTypeProblem,
  isWideOpen,
  portProblem,
  portsWithoutProtocol,
  protocolOf,
  protocolProblem,
  ruleOf,
} from './values.ts'

test.for([
  ['22', undefined],
  ['80-90', undefined],
  [' 443 ', undefined],
  ['65535', undefined],
  ['65536', 'Not a valid port range'],
  ['0', 'Not a valid port range'],
  ['90-80', 'Not a valid port range'],
  ['http', 'Not a valid port range'],
  ['8080', 'Port range already added'],
] as const)('port %s: %s', ([text, problem]) => {
  const found = portProblem(text, ['8080'])
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

it('a target is checked by its type, and a second time is said', () => {
  expect(endProblem({ type: 'ip', value: '10.0.0' }, [])).toBe('Not a valid IP address')
  expect(endProblem({ type: 'ip_net', value: '10.0.0.0/33' }, [])).toBe('Max width for IPv4 is 32')
  expect(endProblem({ type: 'instance', value: 'Web' }, [])).toContain('lower-case')
  expect(endProblem({ type: 'instance', value: 'web' }, [{ type: 'instance', value: 'web' }])).toBe(
    'Instance already added',
  )
  expect(endProblem({ type: 'instance', value: 'web' }, [{ type: 'subnet', value: 'web' }])).toBeUndefined()
})

it('a draft makes the protocol that is sent', () => {
  expect(protocolOf({ type: '', icmpType: '', code: '' })).toBeUndefined()
  expect(protocolOf({ type: 'icmp', icmpType: '', code: '' })).toEqual({ type: 'icmp', value: null })
  const one = protocolOf({ type: 'icmp', icmpType: '3', code: '0' })
  expect(one).toEqual({ type: 'icmp', value: { icmpType: 3, code: '0' } })
  expect(one && protocolProblem(one, [one])).toBe('Protocol already added')
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
