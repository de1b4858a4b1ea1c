import { randomBytes, randomUUID } from 'node:crypto'
import { manualClock } from '@purlin/sleds/manual-clock'
import { expect, it } from 'vitest'
import { cheapPasswords } from '#/testing/world.ts'
import { knownMark, rememberBrowser } from './known-browsers.ts'

const clock = manualClock()
const world = {
  clock,
  ids: { uuid: randomUUID, bytes: (n: number) => new Uint8Array(randomBytes(n)) },
  passwords: cheapPasswords,
}
const ann = { id: 'ann', passwordHash: 'hash of ann' }
const remember = (secure = false) =>
  rememberBrowser(world, ann, { cookieHeader: undefined, former: undefined, siloName: 'acme', secure })
const cookieOf = (header: string) => header.split(';')[0]

it('a browser is known for 90 days', async () => {
  const cookie = cookieOf(remember())
  await clock.advance(90 * 24 * 60 * 60_000 - 1)
  expect(knownMark(world, cookie, ann)).toMatch(/^[0-9a-f]{16}-/)
  await clock.advance(1)
  expect(knownMark(world, cookie, ann)).toBeUndefined()
})

it('its mark is sent over TLS only if it was given so', () => {
  expect(remember(true)).toMatch(/; Secure$/)
  expect(remember(false)).not.toContain('Secure')
})

it('a former mark of the account is replaced, those of others are kept', () => {
  const first = cookieOf(remember())
  const former = knownMark(world, first, ann)
  const how = { former, siloName: 'acme', secure: false }
  const again = cookieOf(rememberBrowser(world, ann, { ...how, cookieHeader: first }))
  expect(again).not.toContain(former)
  const bob = { id: 'bob', passwordHash: 'hash of bob' }
  const both = cookieOf(rememberBrowser(world, bob, { ...how, former: undefined, cookieHeader: again }))
  expect(knownMark(world, both, ann)).toBe(knownMark(world, again, ann))
  expect(knownMark(world, both, bob)).toBeDefined()
})

it('many marks cost no more than five', () => {
  let signed = 0
  const passwords = { ...cheapPasswords, sign: (key: string, text: string) => `${++signed}${key}${text}` }
  const mark = `${'0'.repeat(16)}-9999999999999-${'0'.repeat(64)}`
  expect(knownMark({ ...world, passwords }, `known=${`${mark}.`.repeat(150)}`, ann)).toBeUndefined()
  expect(signed).toBe(5)
})
