/**
 * Requests to identity providers, each bound to the browser that asked. A browser keeps a secret in a cookie; the id of
 * the request is the fingerprint of it. So the server stores no requests, and who sees one, or steals its answer, cannot
 * use the answer in another browser.
 */
import { hexOf } from '#/bytes.ts'
import type { World } from '#/context.ts'
import { cookieOf, setCookie } from '../cookies.ts'

/** Tests have requests of another kind: the answer to one never signs a user in. */
export type Use = 'signIn' | 'test'
const cookieNames: Record<Use, string> = { signIn: 'asked', test: 'tested' }
const parts: Record<Use, string> = { signIn: '', test: 'test ' }
/** How long a browser keeps a request. */
export const requestLifetimeMs = 15 * 60_000
/** Requests that a browser has open at a time, such as in several tabs. */
const mostOpen = 5
const secretPattern = /^[0-9a-f]{40}$/

/** A browser at the address of an identity provider. `sameSite` allows the way in which the provider sends it back. */
export interface Browser {
  cookieHeader: string | undefined
  /** Where the browser sends answers to. */
  path: string
  secure: boolean
  sameSite: 'Lax' | 'None'
  use: Use
}

/** A request. Its parts follow from the secret, and none of them from another. */
export interface BoundRequest {
  id: string
  nonce: string
  verifier: string
  /** The Set-Cookie header after it has been sent, or answered. */
  cookie: string
}

/** A new request, and the cookie that binds it to the browser. */
export function newRequest(world: World, browser: Browser): BoundRequest {
  const secret = hexOf(world.ids.bytes(20))
  const open = [secret, ...secretsOf(browser)].slice(0, mostOpen)
  return { ...partsOf(world, browser, secret), cookie: cookieFor(open, browser) }
}

/** True if the browser has asked something. */
export const hasAsked = (browser: Browser): boolean => secretsOf(browser).length > 0

/** The request of this browser that an answer names; undefined if it has not sent that request. */
export function answeredRequest(world: World, browser: Browser, id: string): BoundRequest | undefined {
  const open = secretsOf(browser)
  const answered = open.find((secret) => idOf(world, browser, secret) === id)
  if (answered === undefined) return undefined
  const others = open.filter((secret) => secret !== answered)
  return { ...partsOf(world, browser, answered), cookie: cookieFor(others, browser) }
}

const secretsOf = ({ cookieHeader, use }: Browser): string[] =>
  (cookieOf(cookieHeader, cookieNames[use]) ?? '')
    .split('.', mostOpen)
    .filter((one) => secretPattern.test(one))

/** The path is part of each: an answer of one provider counts at no other, of whatever silo. */
const partOf = ({ passwords }: World, { path, use }: Browser, text: string): string =>
  passwords.fingerprint(`${path} ${parts[use]}${text}`)

// An id of XML begins with no digit.
const idOf = (world: World, browser: Browser, secret: string): string =>
  `_${partOf(world, browser, `request ${secret}`)}`

const partsOf = (world: World, browser: Browser, secret: string) => ({
  id: idOf(world, browser, secret),
  nonce: partOf(world, browser, `nonce ${secret}`),
  verifier: partOf(world, browser, `verifier ${secret}`),
})

const cookieFor = (open: readonly string[], { path, secure, sameSite, use }: Browser): string =>
  setCookie({
    name: cookieNames[use],
    value: open.join('.'),
    path,
    sameSite,
    seconds: open.length > 0 ? requestLifetimeMs / 1000 : 0,
    secure,
  })
