import { expect, it } from 'vitest'
import { addressOfSubject } from './subject.ts'

it.each([
  ['sled', { name: 'PRS1', within: null }, '/system/inventory/sleds/some-id'],
  ['physical-disk', { name: 'AS1', within: null }, '/system/inventory/disks/some-id'],
  ['switch', { name: 'switch0', within: null }, '/system/inventory/switches/some-id'],
  [
    'switch-port',
    { name: 'qsfp0', within: 'its-switch' },
    '/system/inventory/switches/its-switch/ports/qsfp0',
  ],
  ['ip-pool', { name: 'office', within: null }, '/system/networking/ip-pools/office'],
  ['silo', { name: 'research', within: 'memory' }, '/system/silos/research/quotas'],
  ['certificate', { name: 'console', within: 'research' }, '/system/silos/research'],
  ['instance', { name: 'web', within: 'research' }, '/system/silos/research'],
  ['unknown-type', { name: 'x', within: null }, undefined],
] as const)('an issue about a %s leads to its page', (type, subject, address) => {
  expect(addressOfSubject({ type, id: 'some-id', ...subject })).toBe(address)
})
