/**
 * Browsers in which an account has signed in before. Each stores a mark: a random number and a time, signed with the
 * hash of the account's password as the key. So a mark cannot be forged, the server stores nothing, and a new
 * password voids all marks. A mark does not sign a user in: it only keeps strangers from slowing down the account's
 * owner.
 */
import type { World } from '#/context.ts'
import { hexOf } from '#/bytes.ts'
import { cookieOf, setCookie } from '../cookies.ts'

type Marking = Pick<World, 'clock' | 'ids' | 'passwords'>
interface Account {
  id: string
  passwordHash: string
}

const cookieName = 'known'
const lifetimeMs = 90 * 24 * 60 * 60_000
/** Accounts that one browser remembers for a silo. */
const mostMarks = 5
const markPattern = /^([0-9a-f]{16})-(\d{1,16})-([0-9a-f]{64})$/

/** The account's own mark among those that a browser sent, or undefined. */
export function knownMark(
  { clock, passwords }: Marking,
  cookieHeader: string | undefined,
  account: Account,
): string | undefined {
  return marksIn(cookieHeader).find((mark) => {
    const [, nonce = '', expires = '', signature = ''] = markPattern.exec(mark) ?? []
    if (!(Number(expires) > clock.now())) return false
    return isSame(passwords, signature, signatureOf(passwords, account, `${nonce}-${expires}`))
  })
}

/** The Set-Cookie header by which a browser knows the account from now on, in place of the mark `former`. */
export function rememberBrowser(
  world: Marking,
  account: Account,
  how: { cookieHeader: string | undefined; former: string | undefined; siloName: string; secure: boolean },
): string {
  const { clock, ids, passwords } = world
  const nonce = hexOf(ids.bytes(8))
  const text = `${nonce}-${clock.now() + lifetimeMs}`
  const mark = `${text}-${signatureOf(passwords, account, text)}`
  const others = marksIn(how.cookieHeader).filter((one) => one !== how.former)
  return setCookie({
    name: cookieName,
    value: [mark, ...others].slice(0, mostMarks).join('.'),
    path: `/v1/login/${how.siloName}/local`,
    sameSite: 'Strict',
    seconds: lifetimeMs / 1000,
    secure: how.secure,
  })
}

const marksIn = (cookieHeader: string | undefined): string[] =>
  (cookieOf(cookieHeader, cookieName) ?? '').split('.', mostMarks).filter((mark) => markPattern.test(mark))

const signatureOf = (passwords: Marking['passwords'], { id, passwordHash }: Account, text: string) =>
  passwords.sign(passwordHash, `known browser of ${id} ${text}`)

// Different texts have entirely different fingerprints, so the time of the comparison reveals nothing.
const isSame = (passwords: Marking['passwords'], one: string, other: string) =>
  passwords.fingerprint(one) === passwords.fingerprint(other)
