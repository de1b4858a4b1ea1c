/** Security headers for browsers. */

const policyOf = (scripts: readonly string[]) =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    // Terminal and charts set styles on their elements.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const always = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}
const pageOnly = {
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()',
  'cross-origin-opener-policy': 'same-origin',
}
const apiOnly = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}
const secured = { 'strict-transport-security': 'max-age=31536000' }

/** Kinds of answers: what a browser shows, and what programs read. */
export type AnswerKind = 'page' | 'api'

/** Names and values, alternating, as `writeHead` takes them. */
type Flat = readonly string[]
/** Security headers over plain HTTP and over TLS. */
export type OwnHeaders = Readonly<Record<'plain' | 'secure', Flat>>
const flat = (headers: Record<string, string>): OwnHeaders => ({
  plain: Object.entries({ ...always, ...headers }).flat(),
  secure: Object.entries({ ...always, ...headers, ...secured }).flat(),
})

/** The headers of a page that runs our files, and those scripts within it whose hashes are given: `'sha256-…'`. */
export const pageHeaders = (scripts: readonly string[] = []): OwnHeaders =>
  flat({ 'content-security-policy': policyOf(scripts), ...pageOnly })

// Every request needs them.
const made = { page: pageHeaders(), api: flat(apiOnly) }

/** The headers of an answer; a page with scripts within it has its own. */
export const securityHeaders = (kind: AnswerKind, secure: boolean, own = made[kind]): Flat =>
  own[secure ? 'secure' : 'plain']
