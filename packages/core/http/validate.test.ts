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
  ['date-time', '2026-13-02T03:04:05Z', 'input contains invalid characters'],
])('%s: %s', (format, text, reason) => {
  const read = () => parse(string({ format }), text)
  if (reason === undefined) expect(read()).toBe(text)
  else expect(read).toThrow(reason)
})
