import ipaddr from 'ipaddr.js'
import { describe, expect, it } from 'vitest'
import { boundsOf, canonicalIp, contains, formatIp, formatNet, netProblem, parseIp, parseNet } from './ip.ts'

const parts = [
  '0',
  '1',
  '9',
  '10',
  '99',
  '100',
  '199',
  '200',
  '255',
  '256',
  '00',
  '01',
  '1000',
  '',
  'a',
  ' 1',
  '-1',
  '1e1',
]
/** Four parts in all combinations of two that matter, and other numbers of parts. */
const texts = [
  ...parts.flatMap((a) => parts.flatMap((b) => [`${a}.${b}.0.255`, `10.1.${a}.${b}`, `${a}.7.7.${b}`])),
  ...parts.flatMap((a) => [
    a,
    `1.2.${a}`,
    `1.2.3.4.${a}`,
    `1.2.3.${a}.`,
    `.${a}.2.3.4`,
    `1,2.3.${a}`,
    `1.2.3.4${a}x`,
  ]),
]

describe('four decimal numbers', () => {
  it('are an address exactly where the library takes them for one', () => {
    let addresses = 0
    for (const text of texts) {
      const parsed = parseIp(text)
      expect(parsed !== undefined, text).toBe(ipaddr.IPv4.isValidFourPartDecimal(text))
      if (!parsed) continue
      addresses++
      const bytes = ipaddr.IPv4.parse(text).toByteArray()
      expect(parsed, text).toEqual({
        family: 4,
        value: bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n),
      })
      expect(formatIp(parsed)).toBe(text)
    }
    expect(addresses).toBeGreaterThan(100)
    expect(texts.length - addresses).toBeGreaterThan(100)
  })
})

it('a network is parsed exactly if it has no problem', () => {
  const widths = [
    '0',
    '1',
    '8',
    '24',
    '31',
    '32',
    '33',
    '64',
    '128',
    '129',
    '',
    '-1',
    '08',
    '0032',
    'a',
    '8 ',
    '1/2',
  ]
  const found = { networks: 0, others: 0 }
  for (const base of ['10.1.2.3', '255.255.255.255', 'fd00::1', '::', '1.2.3', '', 'fe80::1%eth0', 'x'])
    for (const width of widths) {
      const text = `${base}/${width}`
      // A width of many digits is refused although its number is small.
      const isOne = netProblem(text) === undefined && width.length <= 3
      expect(parseNet(text) !== undefined, text).toBe(isOne)
      if (isOne) expect(parseNet(text), text).toEqual({ base: parseIp(base), width: Number(width) })
      found[isOne ? 'networks' : 'others']++
    }
  expect(found.networks).toBeGreaterThan(20)
  expect(found.others).toBeGreaterThan(20)
})

it('a network contains the addresses between its bounds', () => {
  const addresses = [
    '0.0.0.0',
    '10.0.0.0',
    '10.0.0.255',
    '10.0.1.0',
    '255.255.255.255',
    '::',
    'fd00::1',
    'fd00:0:0:1::',
  ]
  const inside: string[] = []
  for (const net of [
    '0.0.0.0/0',
    '10.0.0.0/24',
    '10.0.0.77/24',
    '10.0.0.255/32',
    '::/0',
    'fd00::/64',
    'fd00::1/128',
  ])
    for (const text of addresses) {
      const [network, address] = [parseNet(net), parseIp(text)]
      if (!network || !address) throw new Error(net)
      const { first, last } = boundsOf(network)
      const isBetween =
        address.family === network.base.family && first <= address.value && address.value <= last
      expect(contains(network, address), `${net} ${text}`).toBe(isBetween)
      if (isBetween) inside.push(`${formatNet(network)} ${text}`)
    }
  expect(inside).toContain('10.0.0.0/24 10.0.0.255')
  expect(inside).not.toContain('10.0.0.0/24 10.0.1.0')
})

it('the canonical text of an address is the shortest, and other texts stay', () => {
  expect(canonicalIp('FD00:0:0:0:0:0:0:1')).toBe('fd00::1')
  expect(canonicalIp('10.0.0.1')).toBe('10.0.0.1')
  expect(canonicalIp('10.0.0.01')).toBe('10.0.0.01')
})
