import { readdirSync, readFileSync } from 'node:fs'
import { hash } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { lacks, onLinux } from '@purlin/sleds/testing/skips'
import { createPasswords } from './passwords.ts'

const cost = { memoryCost: 8192, timeCost: 2 }
const passwords = createPasswords(cost)

describe('passwords', () => {
  it('are hashed with 96 MiB and 23 passes', async () => {
    const standard = createPasswords()
    const made = await standard.hash('correct horse')
    expect(made).toMatch(/^\$argon2id\$v=19\$m=98304,t=23,p=1\$/)
    expect(standard.isOutdated(made)).toBe(false)
  })

  it('a password fits its own hash only', async () => {
    const made = await passwords.hash('correct horse')
    expect(await passwords.verify(made, 'correct horse')).toBe(true)
    expect(await passwords.verify(made, 'correct hors')).toBe(false)
    expect(await passwords.hash('correct horse')).not.toBe(made)
  })

  it('hashes with other parameters still fit; those that cost less are outdated', async () => {
    const made = (memoryCost: number, timeCost: number) =>
      hash('old secret', { memoryCost, timeCost, parallelism: 1 })
    for (const [memoryCost, timeCost, isOutdated] of [
      [4096, 2, true],
      [8192, 1, true],
      [8192, 2, false],
      [16_384, 3, false],
    ] as const) {
      const stored = await made(memoryCost, timeCost)
      expect(await passwords.verify(stored, 'old secret')).toBe(true)
      expect(passwords.isOutdated(stored)).toBe(isOutdated)
    }
  })

  it.skipIf(lacks(process.platform !== 'linux' && onLinux))(
    'are hashed in a thread of low priority',
    async () => {
      await passwords.hash('correct horse')
      // The nineteenth field; the name before it may hold anything.
      const niceOf = (thread: string) =>
        readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16]
      const threads = readdirSync('/proc/self/task').map(niceOf)
      expect(threads).toContain('10')
    },
  )

  it.each(['', 'garbage', '$argon2id$v=19$m=1'])('the malformed hash %j fits nothing', async (hash) => {
    expect(await passwords.verify(hash, '')).toBe(false)
  })

  it('a signature is HMAC-SHA256 in hex (RFC 4231, test case 2)', () => {
    expect(passwords.sign('Jefe', 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })

  it('a fingerprint is SHA-256 in hex', () => {
    expect(passwords.fingerprint('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})

it('a password that would wait too long is refused with 503', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.hash('a secret')))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(outcomes.length)
  for (const { reason } of refused)
    expect(reason).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) as string },
    })
})

it('a few clients with many passwords each do not keep another one out', async () => {
  const made = await passwords.hash('a secret')
  const guesses = ['a', 'b', 'c'].flatMap((client) =>
    Array.from({ length: 15 }, () => passwords.verify(made, 'a guess', { client })),
  )
  expect(await passwords.verify(made, 'a secret', { client: 'd' })).toBe(true)
  expect(await Promise.all(guesses)).toEqual(guesses.map(() => false))
})

it('knows the common passwords', async () => {
  const list = await passwords.common()
  for (const one of ['123456789012', 'password', 'qwertyuiop', 'administrator'])
    expect(list.has(one)).toBe(true)
  for (const one of ['correct horse battery', 'drafting-table', '']) expect(list.has(one)).toBe(false)
})
