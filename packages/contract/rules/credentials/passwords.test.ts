import { expect, it } from 'vitest'
import { isTooLong, passwordProblem } from './passwords.ts'

it('a new password has 12 characters at least, however they are stored, and 512 bytes at most', () => {
  expect(passwordProblem('twelve chars')).toBeUndefined()
  expect(passwordProblem('ä'.repeat(256))).toBeUndefined()
  for (const short of ['', 'a', 'eleven char', '🔑'.repeat(11)])
    expect(passwordProblem(short)).toBe('must have at least 12 characters')
  for (const long of ['ä'.repeat(256) + 'a', 'a'.repeat(513)])
    expect(passwordProblem(long)).toBe('must have at most 512 bytes')
})

it('one that was set before there was a shortest length can still be tried', () => {
  expect([isTooLong('a'), isTooLong('a'.repeat(512)), isTooLong('a'.repeat(513))]).toEqual([
    false,
    false,
    true,
  ])
})
