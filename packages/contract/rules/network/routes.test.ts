import { expect, it } from 'vitest'
import { mixesFamilies } from './routes.ts'

it.each([
  [{ type: 'ip', value: '10.0.0.1' }, { type: 'ip', value: 'fd00::1' }, true],
  [{ type: 'ip_net', value: 'fd00::/64' }, { type: 'ip', value: '10.0.0.1' }, true],
  [{ type: 'ip_net', value: '10.0.0.0/8' }, { type: 'ip', value: '10.0.0.1' }, false],
  [{ type: 'subnet', value: 'web' }, { type: 'ip', value: '10.0.0.1' }, false],
  [{ type: 'ip', value: 'fd00::1' }, { type: 'drop' }, false],
])('%j to %j mixes versions of IP: %s', (destination, target, mixes) =>
  expect(mixesFamilies(destination, target)).toBe(mixes),
)
