import { formatIp, fromKey } from '@purlin/contract/rules/network/ip'
import { expect, it } from 'vitest'
import { addressesFrom } from './search-values.ts'

const ranges = (text: string) =>
  addressesFrom(text).map((range) => range.map((key) => formatIp(fromKey(key))).join(' to '))

it.each([
  ['10.', ['10.0.0.0 to 10.255.255.255']],
  ['172.30.0.', ['172.30.0.0 to 172.30.0.255']],
  ['10.2', ['10.2.0.0 to 10.2.255.255', '10.20.0.0 to 10.29.255.255', '10.200.0.0 to 10.255.255.255']],
  ['10.0.0.7', ['10.0.0.7 to 10.0.0.7', '10.0.0.70 to 10.0.0.79']],
  ['10.0.0.0', ['10.0.0.0 to 10.0.0.0']],
  [
    'fd12:3',
    [3, 0x30, 0x300, 0x3000].map(
      (part, i) =>
        `fd12:${part.toString(16)}:: to fd12:${(part + 16 ** i - 1).toString(16)}:ffff:ffff:ffff:ffff:ffff:ffff`,
    ),
  ],
  ['web', []],
  ['10', []],
  ['10..2', []],
  ['300.1', []],
  ['1.2.3.4.5', []],
  ['a.b', []],
  ['10.02', []],
])('addresses that begin with %s', (text, expected) => {
  expect(ranges(text)).toEqual(expected)
})
