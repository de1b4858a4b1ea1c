import { describe, expect, it } from 'vitest'
import { aboutOf, messages } from './messages.ts'
import { countOf } from './kinds.ts'

describe('messages', () => {
  it('are read back with the values that they were built from', () => {
    const values = { type: 'vpc-subnet', name: 'a "b" (c)\nat line 1' }
    expect(messages.alreadyExists.read(messages.alreadyExists(values))).toEqual(values)
    const position = { reason: 'name: may not be\nso at line', line: 3, column: 14 }
    const at = { ...position, line: '3', column: '14' }
    expect(messages.badBodyAt.read(messages.badBodyAt(position))).toEqual(at)
    const scope = { scope: '/v1/disks?project=demo', reason: 'not found: project with name "demo"' }
    expect(messages.scope.read(messages.scope(scope))).toEqual(scope)
    const limit = { noun: 'Storage', reason: '2 GiB wanted, 1 GiB left of 100 GiB' }
    expect(messages.limitExceeded.read(messages.limitExceeded(limit))).toEqual(limit)
    expect(messages.externalIpNotAvailable.read(messages.externalIpNotAvailable({}))).toEqual({})
  })
  it('are not read from other texts', () => {
    for (const text of [
      '',
      'already exists',
      'it already exists: disk "a"',
      'already exists: disk "a", twice',
    ])
      expect(messages.alreadyExists.read(text)).toBeUndefined()
    expect(
      messages.notAligned.read('Input tables to a `join` must be aligned to the same period'),
    ).toBeUndefined()
  })
  it.each([
    ['already exists: project-image "debian"', { type: 'project-image', name: 'debian' }],
    ['already exists: disk', { type: 'disk' }],
    ['already exists: a disk of that name', {}],
    ['not found: vpc with name "default"', { type: 'vpc', name: 'default' }],
    ['not found: default IP pool for current silo', {}],
    ['unsupported value for "size": too small', { field: 'size' }],
    ['Ein Name ist vergeben', {}],
  ])('%s is about %j', (text, about) => expect(aboutOf(text)).toEqual(about))
})

it('a count has its noun in the right number, and thousands are set apart', () => {
  expect(countOf(2, 'switch')).toBe('2 switches')
  expect([0, 1, 2, 1666, 1_234_567].map((count) => countOf(count, 'disk'))).toEqual([
    '0 disks',
    '1 disk',
    '2 disks',
    '1,666 disks',
    '1,234,567 disks',
  ])
  expect(countOf(2, 'address')).toBe('2 addresses')
})
