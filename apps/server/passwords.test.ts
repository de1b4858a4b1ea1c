import { hash } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { createLimit, createPasswords } from './passwords.ts'

const passwords = createPasswords()

describe('passwords', () => {
  it('a password fits its own hash only', async () => {
    const hash = await passwords.hash('correct horse')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
    expect(await passwords.verify(hash, 'correct horse')).toBe(true)
    expect(await passwords.verify(hash, 'correct hors')).toBe(false)
    expect(await passwords.hash('correct horse')).not.toBe(hash)
  })

  it('hashes with other parameters still fit', async () => {
    const weaker = await hash('old secret', { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    expect(await passwords.verify(weaker, 'old secret')).toBe(true)
  })

  it.each(['', 'garbage', '$argon2id$v=19$m=1'])('the malformed hash %j fits nothing', async (hash) => {
    expect(await passwords.verify(hash, '')).toBe(false)
  })

  it('a fingerprint is SHA-256 in hex', () => {
    expect(passwords.fingerprint('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})

describe('the limit on work at once', () => {
  it('runs so many at once, in order, and refuses what would wait too long', async () => {
    const limited = createLimit(2, 1)
    const log: string[] = []
    const ends: (() => void)[] = []
    const work = (name: string) => () => {
      log.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    }
    const all = [limited(work('a')), limited(work('b')), limited(work('c'))]
    await expect(limited(work('d'))).rejects.toMatchObject({ status: 503 })
    expect(log).toEqual(['a', 'b'])
    ends.shift()?.()
    await all[0]
    expect(log).toEqual(['a', 'b', 'c'])
    for (const end of ends.splice(0)) end()
    await Promise.all(all)
  })

  it('gives the place back after a failure', async () => {
    const limited = createLimit(1, 0)
    await expect(limited(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await limited(() => Promise.resolve(1))).toBe(1)
  })
})
