import { expect, it } from 'vitest'
import { emptyRoute, endComplaint, missingIn, targetComplaint, valuesOf, wayOf } from './routeValues.ts'

const route = (values: Partial<typeof emptyRoute>) => ({ ...emptyRoute, ...values })

it('a target of Drop is sent without a value', () =>
  expect(
    wayOf(route({ destinationType: 'ip_net', destination: ' 10.0.0.0/8 ', targetType: 'drop' })),
  ).toEqual({
    destination: { type: 'ip_net', value: '10.0.0.0/8' },
    target: { type: 'drop' },
  }))

it('the values of a route fill the form, and are sent back unchanged', () => {
  const way = {
    destination: { type: 'subnet', value: 'web' },
    target: { type: 'instance', value: 'router' },
  } as const
  const row = { name: 'in', description: 'x', ...way }
  expect(wayOf(valuesOf(row as Parameters<typeof valuesOf>[0]))).toEqual(way)
})

it('an empty address is not valid; names are not looked at', () => {
  expect(endComplaint('ip', '')).toBe('Not a valid IP address')
  expect(endComplaint('ip_net', '10.0.0.0')).toBe('Must contain an IP address and a width, separated by a /')
  expect(endComplaint('instance', '')).toBeUndefined()
})

it('addresses of different versions of IP are refused', () => {
  const form = route({ destinationType: 'ip_net', destination: 'fd00::/8', targetType: 'ip' })
  expect(targetComplaint('10.0.0.1', form)).toBe('Destination and target must be of the same IP version')
  expect(targetComplaint('fd00::1', form)).toBeUndefined()
  expect(targetComplaint('10.0.0.1', { ...form, destinationType: 'subnet' })).toBeUndefined()
})

it('says which parts of a way are missing or wrong', () => {
  const both = ['Choose its destination.', 'Choose its target.']
  expect(missingIn(emptyRoute)).toEqual(both)
  expect(missingIn(route({ destination: '10.0.0', target: 'x' }))).toEqual(both)
  expect(missingIn(route({ destination: '10.0.0.1', target: 'fd00::1' }))).toEqual(['Choose its target.'])
  expect(missingIn(route({ destination: '10.0.0.1', targetType: 'drop' }))).toEqual([])
})
