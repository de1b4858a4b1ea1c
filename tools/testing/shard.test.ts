import { expect, it } from 'vitest'
import { shardOf } from './shard.ts'

it('a part of the tests is passed on to the runners', () => {
  expect(shardOf(undefined)).toEqual([])
  expect(shardOf('1/3')).toEqual(['--shard=1/3'])
  expect(shardOf('3/3')).toEqual(['--shard=3/3'])
})

it.each(['0/3', '4/3', '1', '1/', 'a/b', '1/3/5', ''])('"%s" is refused as a part', (value) => {
  expect(() => shardOf(value)).toThrow('--shard takes a part of all parts, such as 1/3')
})
