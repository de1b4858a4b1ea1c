/**
 * Requests to identity providers, each bound to the browser that asked. A browser keeps a secret in a cookie; the id of
 * the request is the fingerprint of it. So the server stores no requests, and who sees one, or steals its answer, cannot
 * use the answer in another browser.
 */
import type { World } from '#/context.ts'
import { cookieOf, setCookie } from '../cookies.ts'

const cookieName = 'asked'
const lifetimeSeconds = 15 * 60
/** Requests that a browser has open at a time, such as in several tabs. */
const mostOpen = 5
const secretPattern = /^[0-9a-f]{40}$/

/** A browser at the address of an identity provider. */
export interface Browser {
  cookieHeader: string | undefined
  /** Where the browser sends answers to. */
  path: string
  secure: boolean
}

/** A new request, and the cookie that binds it to the browser. */
export function newRequest(world: World, browser: Browser): { id: string; cookie: string } {
  const secret = Array.from(world.ids.bytes(20), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const open = [secret, ...secretsOf(browser)].slice(0, mostOpen)
  return { id: idOf(world, secret), cookie: cookieFor(open, browser) }
}

/** True if the browser has asked something. */
export const hasAsked = (browser: Browser): boolean => secretsOf(browser).length > 0

/** The cookie of the browser once a request has been answered; undefined if it has not sent that request. */
export function answeredRequest(world: World, browser: Browser, id: string): string | undefined {
  const open = secretsOf(browser)
  const others = open.filter((secret) => idOf(world, secret) !== id)
  return others.length < open.length ? cookieFor(others, browser) : undefined
}

const secretsOf = ({ cookieHeader }: Browser): string[] =>
  (cookieOf(cookieHeader, cookieName) ?? '').split('.', mostOpen).filter((one) => secretPattern.test(one))

// An id of XML begins with no digit.
const idOf = ({ passwords }: World, secret: string): string =>
  `_${passwords.fingerprint(`request ${secret}`)}`

// The provider's page is on another site, and sends a form.
const cookieFor = (open: readonly string[], { path, secure }: Browser): string =>
  setCookie({
    name: cookieName,
    value: open.join('.'),
    path,
    sameSite: 'None',
    seconds: open.length > 0 ? lifetimeSeconds : 0,
    secure,
  })
