import { isOwnAddress } from '@purlin/contract/rules/credentials/return-address'
import { expect, it } from 'vitest'
import { destination, hostileAddresses } from '#/testing/access/hostile-addresses.ts'
import { relayStateOf, returnAddress } from './return-address.ts'

const origin = 'https://cloud.test'
const pathIn = (address: string) => new URL(address, origin).pathname

it.each(['/', '/projects', '/projects?a=1&b=//x', '/a/b-c/#d//e', '/%2f/evil.example', '/größe', '/a:b@c'])(
  '%s is an address of this site',
  (address) => expect(isOwnAddress(address)).toBe(true),
)

it('an address that is accepted stays on this site, also when its path is resolved again', () => {
  const accepted = hostileAddresses.filter(isOwnAddress)
  expect(accepted.filter((one) => destination(one, origin) !== origin)).toEqual([])
  expect(accepted.filter((one) => destination(pathIn(one), origin) !== origin)).toEqual([])
  // Names of hosts are no part of them, or only of a path.
  expect(accepted).toContain('/%2fevil.example')
  expect(hostileAddresses.length - accepted.length).toBeGreaterThan(150)
})

it('the state that travels to a provider and back cannot name another site', () => {
  for (const address of hostileAddresses) {
    const read = () => returnAddress(relayStateOf(address))
    if (address === '') expect(read()).toBeUndefined()
    else if (isOwnAddress(address)) expect(read()).toBe(address)
    else expect(read).toThrow('is not a relative URI')
  }
})
