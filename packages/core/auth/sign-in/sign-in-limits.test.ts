import { manualClock } from '@purlin/sleds/manual-clock'
import { beforeEach, describe, expect, it } from 'vitest'
import { createSignInLimits, type SignInAttempt, type SignInLimits } from './sign-in-limits.ts'

let clock = manualClock()
let limits: SignInLimits
beforeEach(() => {
  clock = manualClock()
  limits = createSignInLimits({ clock, passwords: { fingerprint: (secret) => secret } })
})

const account: SignInAttempt = { siloId: 's', username: 'ann', remote: '192.0.2.1' }
const wrong = (who: Partial<SignInAttempt> = {}) =>
  limits.attempt({ ...account, ...who }, () => Promise.resolve(null))
const right = (who: Partial<SignInAttempt> = {}) =>
  limits.attempt({ ...account, ...who }, () => Promise.resolve('ann'))
const tooManyRequests = { status: 429 }

/** Uses up what an address may fail, each time as another user. */
const wearOut = async (remote: string) => {
  for (let i = 0; i < 51; i++) await wrong({ username: `u${i}`, remote })
}

describe('servers of one database', () => {
  it('share failures and what forgives them', async () => {
    const listeners: ((message: string) => void)[] = []
    const server = (own: number) =>
      createSignInLimits({
        clock,
        passwords: { fingerprint: (secret) => secret },
        engine: {
          messages: {
            send: (message) => {
              for (const [i, listen] of listeners.entries()) if (Math.floor(i / 3) !== own) listen(message)
            },
            listen: (listen) => void listeners.push(listen),
          },
        },
      })
    const [first, second] = [server(0), server(1)]
    for (let i = 0; i < 3; i++) {
      await first.attempt(account, () => Promise.resolve(null))
      await second.attempt(account, () => Promise.resolve(null))
    }
    const guess = (of: SignInLimits) => of.attempt(account, () => Promise.resolve('ann'))
    for (const one of [first, second]) await expect(guess(one)).rejects.toMatchObject(tooManyRequests)
    await clock.advance(2_000)
    expect(await guess(first)).toBe('ann')
    for (let i = 0; i < 5; i++) await second.attempt(account, () => Promise.resolve(null))
    expect(await guess(first)).toBe('ann')
  })
})

describe('guesses at the same time', () => {
  it('ten are verified, the others wait', async () => {
    let answer = (_: null) => {}
    const verified = new Promise<null>((resolve) => (answer = resolve))
    const guesses = Array.from({ length: 30 }, () => limits.attempt(account, () => verified))
    const outcomes = Promise.allSettled(guesses)
    answer(null)
    const fulfilled = (await outcomes).filter((one) => one.status === 'fulfilled')
    expect(fulfilled).toHaveLength(10)
    await expect(right()).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '32' } })
  })

  it('ten concurrent sign-ins with the right password do not wait', async () => {
    expect(await Promise.all(Array.from({ length: 10 }, () => right()))).toHaveLength(10)
  })

  it('once the free failures are used up, one is verified at a time', async () => {
    for (let i = 0; i < 5; i++) await wrong()
    const slow = limits.attempt(
      account,
      () => new Promise<string>((resolve) => clock.after(10, () => resolve('ann'))),
    )
    await expect(right()).rejects.toMatchObject(tooManyRequests)
    await clock.advance(10)
    expect(await slow).toBe('ann')
    expect(await right()).toBe('ann')
  })
})

describe('addresses', () => {
  it('the addresses of one IPv6 customer count as one', async () => {
    await wearOut('2001:db8::1')
    await expect(right({ remote: '2001:db8::ffff:2' })).rejects.toMatchObject(tooManyRequests)
    expect(await right({ remote: '2001:db8:0:1::1' })).toBe('ann')
  })

  it('an IPv4-mapped IPv6 address counts as the IPv4 address', async () => {
    await wearOut('::ffff:192.0.2.7')
    await expect(right({ remote: '192.0.2.7' })).rejects.toMatchObject(tooManyRequests)
    expect(await right({ remote: '::ffff:192.0.2.8' })).toBe('ann')
  })

  it('texts that are no address count as one client together', async () => {
    await wearOut('unix')
    await expect(right({ remote: 'another text' })).rejects.toMatchObject(tooManyRequests)
    expect(await right()).toBe('ann')
  })

  it('the wait of an address ends at 5 minutes', async () => {
    await wearOut('192.0.2.9')
    for (let i = 0; i < 12; i++) {
      await clock.advance(5 * 60_000)
      await wrong({ username: `later${i}`, remote: '192.0.2.9' })
    }
    await expect(right({ remote: '192.0.2.9' })).rejects.toMatchObject({ headers: { 'retry-after': '300' } })
  })
})

describe('an account', () => {
  const many = (count: number, username = 'ann') =>
    Promise.all(
      Array.from({ length: count }, (_, i) => wrong({ username, remote: `198.51.${i >> 8}.${i & 255}` })),
    )

  it('that failed twenty times is slower from everywhere, up to 8 s, and open to its known browsers', async () => {
    await many(20)
    expect(await right()).toBe('ann')
    await many(20)
    const [failures, delays] = [[1, 1, 1, 1, 1, 10], [] as number[]]
    for (const more of failures) {
      const end = many(more)
      await clock.advance(10_000)
      await end
      const began = clock.now()
      let ended = 0
      const slow = wrong({ remote: '192.0.2.77' }).then(() => (ended = clock.now()))
      await clock.advance(10_000)
      await slow
      delays.push(ended - began)
      expect(await right({ knownMark: 'mark' })).toBe('ann')
    }
    expect(delays).toEqual([500, 2000, 8000, 8000, 8000].concat(8000))
  })

  it('of another name is as fast as before', async () => {
    await many(40)
    expect(await right({ username: 'bob' })).toBe('ann')
  })
})

it('the failures of a known browser are counted separately, at any address', async () => {
  for (let i = 0; i < 6; i++) await wrong({ knownMark: 'one', remote: `192.0.2.${i}` })
  await expect(right({ knownMark: 'one' })).rejects.toMatchObject(tooManyRequests)
  expect(await right({ knownMark: 'two' })).toBe('ann')
  await wearOut('192.0.2.9')
  expect(await right({ knownMark: 'two', remote: '192.0.2.9' })).toBe('ann')
})

it('memory is limited: the oldest attempts are forgotten', async () => {
  for (let i = 0; i < 6; i++) await wrong()
  await expect(right()).rejects.toMatchObject(tooManyRequests)
  const strangers = (from: number, to: number) =>
    Promise.all(
      Array.from({ length: to - from }, (_, i) =>
        wrong({
          username: `x${from + i}`,
          remote: `10.${(from + i) >> 16}.${((from + i) >> 8) & 255}.${(from + i) & 255}`,
        }),
      ),
    )
  await strangers(0, 19_999)
  await expect(right()).rejects.toMatchObject(tooManyRequests)
  await strangers(19_999, 20_001)
  expect(await right()).toBe('ann')
})
