import { describe, expect, it } from 'vitest'
import { endOf, endProblem, questionOf, searchOf, valuesOf } from './question.ts'
import { traceSearch } from './search.ts'

const nic = 'a35499b3-1b1f-4c1e-8a3a-0123456789ab'

describe('the address of a trace', () => {
  it('holds the whole question', () => {
    const values = { ...valuesOf({}), from: 'web', to: ' 8.8.8.8 ', port: 443, assumeRunning: true }
    expect(searchOf(values)).toEqual({
      from: 'web',
      to: '8.8.8.8',
      protocol: 'tcp',
      port: 443,
      assumeRunning: true,
    })
    expect(questionOf(searchOf(values))).toEqual({
      source: { type: 'instance', value: 'web' },
      destination: { type: 'ip', value: '8.8.8.8' },
      protocol: { type: 'tcp', port: 443 },
      assumeRunning: true,
    })
  })

  it('opens the form with the same values', () => {
    const search = { from: nic, to: 'fd00::1', protocol: 'icmp', icmpType: 3, code: 4 } as const
    expect(searchOf(valuesOf(search))).toEqual(search)
    expect(questionOf(search)?.protocol).toEqual({ type: 'icmp', icmpType: 3, code: 4 })
  })

  it('leaves out what a protocol does not have', () => {
    const values = { ...valuesOf({}), from: 'a', to: 'b', port: 80 }
    expect(searchOf({ ...values, protocol: 'other' })).toEqual({ from: 'a', to: 'b', protocol: 'other' })
    expect(searchOf({ ...values, protocol: 'udp' })).toEqual({
      from: 'a',
      to: 'b',
      protocol: 'udp',
      port: 80,
    })
  })

  it('may come from a link, as texts', () => {
    const texts = { from: 'web', protocol: 'tcp', port: '22', assumeRunning: 'true' }
    expect(traceSearch(texts)).toEqual({ from: 'web', protocol: 'tcp', port: 22, assumeRunning: true })
    expect(traceSearch({ port: '22-23', code: '-1', icmpType: '1e1' })).toEqual({})
  })

  it('keeps nothing that is no part of a question', () => {
    expect(traceSearch({ from: true, port: 0, code: 256, icmpType: 1.5, protocol: 'sctp', more: 1 })).toEqual(
      {
        from: 'true',
      },
    )
    expect(traceSearch({ port: 65_536, from: '', to: {}, assumeRunning: 'yes' })).toEqual({})
  })
})

describe('an end', () => {
  it('is the name of an instance, the id of an interface, or an address', () => {
    expect(endOf('web-1')).toEqual({ type: 'instance', value: 'web-1' })
    expect(endOf(nic)).toEqual({ type: 'interface', value: nic })
    expect(endOf('10.0.0.5')).toEqual({ type: 'ip', value: '10.0.0.5' })
  })

  it.each(['10.0.0', 'Web', 'fe80::1%eth0', '10.0.0.0/8'])('cannot be %s', (text) => {
    expect(endProblem(text)).toBe('Choose an instance, or enter an IP address')
    expect(questionOf({ from: text, to: 'web', protocol: 'other' })).toBeUndefined()
  })
})

it('a question without a port is not complete', () => {
  expect(questionOf({ from: 'a', to: 'b', protocol: 'tcp' })).toBeUndefined()
  expect(questionOf({ from: 'a', protocol: 'other' })).toBeUndefined()
})
