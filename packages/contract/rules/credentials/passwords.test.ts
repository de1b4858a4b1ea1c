import { expect, it } from 'vitest'
import { isCommon, isTooLong, passwordProblem } from './passwords.ts'

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

it('a new password does not contain the name of its user, unless that has three letters at most', () => {
  expect(passwordProblem('here is Rosa-Lima', 'rosa-lima')).toBe('must not contain the name of the user')
  expect(passwordProblem('an eagle at dawn', 'gle')).toBeUndefined()
  expect(passwordProblem('an eagle at dawn', 'rosa-lima')).toBeUndefined()
})

it('a common password stays one if it is repeated, or with fewer digits and signs at its ends', () => {
  const list = new Set(['password', 'qwertyuiop', '123456789012', 'a', 'abc123'])
  const common = [
    '123456789012',
    'Password1234',
    '##passWORD#1',
    'passwordpassword',
    'abc123abc123',
    'aaaaaaaaaaaa',
    'qwertyuiop2026!',
  ]
  expect(common.filter((one) => !isCommon(one, list))).toEqual([])
  const others = ['correct horse battery', 'password-8c1f93e7ba', 'password 4711 0815', '%%%%%%%%%%%%', '']
  expect(others.filter((one) => isCommon(one, list))).toEqual([])
})
