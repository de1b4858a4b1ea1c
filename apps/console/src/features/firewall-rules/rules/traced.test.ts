import { expect, it } from 'vitest'
import { tracedBy } from './traced.ts'

const noFilters = { hosts: null, ports: null, protocols: null }

it('a rule for incoming traffic asks about the way to its target', () => {
  const targets = [
    { type: 'vpc', value: 'default' },
    { type: 'instance', value: 'web' },
  ] as const
  const filters = {
    hosts: [{ type: 'ip', value: '8.8.8.8' }] as const,
    ports: ['8000-8080', '22'],
    protocols: [{ type: 'udp' }] as const,
  }
  const rule = {
    targets: [...targets],
    filters: { ...filters, hosts: [...filters.hosts], protocols: [...filters.protocols] },
  }
  expect(tracedBy({ direction: 'inbound', ...rule })).toEqual({
    from: '8.8.8.8',
    to: 'web',
    protocol: 'udp',
    port: 8000,
  })
  expect(tracedBy({ direction: 'outbound', ...rule })).toMatchObject({ from: 'web', to: '8.8.8.8' })
})

it('values that a rule does not restrict are left to the user', () => {
  const targets = [{ type: 'vpc' as const, value: 'default' }]
  expect(tracedBy({ direction: 'inbound', targets, filters: noFilters })).toEqual({ protocol: 'tcp' })
  const icmp = [{ type: 'icmp' as const, value: { icmpType: 3 } }]
  expect(tracedBy({ direction: 'inbound', targets, filters: { ...noFilters, protocols: icmp } })).toEqual({
    protocol: 'icmp',
    icmpType: 3,
  })
})
