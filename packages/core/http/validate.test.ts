import { type Format, string } from '@purlin/contract/schema'
import { expect, it } from 'vitest'
import { parse } from './validate.ts'

const hasZone = 'an IP address with a zone is not accepted: leave out the "%" and what follows it'

it.each<[Format, string, string | undefined]>([
  ['ip', 'fe80::1', undefined],
  ['ip', 'fe80::1%eth0', hasZone],
  ['ip', '10.0.0.1%eth0', 'invalid IP address syntax'],
  ['ip-net', 'fe80::/64', undefined],
  ['ip-net', 'fe80::1%eth0/64', hasZone],
  ['ip-net', '10.0.0.0/33', 'invalid IP network syntax, expected address/width'],
  ['ipv4-net', 'fe80::/64', 'invalid IP network syntax, expected address/width'],
  ['date-time', '2026-01-02T03:04:05.678Z', undefined],
  ['date-time', '2024-02-29t23:59:59+14:00', undefined],
  ['date-time', '2026-13-02T03:04:05Z', 'input contains invalid characters'],
  ['date-time', '2026-02-30T00:00:00Z', 'input contains invalid characters'],
  ['date-time', '2026-02-29T00:00:00-01:00', 'input contains invalid characters'],
  ['date-time', '2026-04-31 00:00:00Z', 'input contains invalid characters'],
  ['date-time', '2026-01-02T24:00:00Z', 'input contains invalid characters'],
  ['date-time', '2026-01-02T23:59:60Z', 'input contains invalid characters'],
  ['date-time', '2026-01-02T00:00:00+24:00', 'input contains invalid characters'],
  ['name', 'abcdefabcdefabcdefabcdefabcdefab', 'name cannot be a UUID to avoid ambiguity with IDs'],
  ['name', 'abcdefabcdefabcdefabcdefabcdefa', undefined],
])('%s: %s', (format, text, reason) => {
  const read = () => parse(string({ format }), text)
  if (reason === undefined) expect(read()).toBe(text)
  else expect(read).toThrow(reason)
})

it.each<Format>(['uuid', 'name-or-id'])(
  '%s: an id without dashes or in capitals is read as it is stored',
  (format) => {
    const id = '0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9'
    for (const text of [id, id.toUpperCase(), id.replaceAll('-', '')])
      expect(parse(string({ format }), text)).toBe(id)
  },
)
