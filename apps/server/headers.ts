/** Headers that tell a browser what it must not do. */

const pagePolicy = [
  "default-src 'self'",
  "script-src 'self'",
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
  'content-security-policy': pagePolicy,
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

const flat = (headers: Record<string, string>): readonly string[] => Object.entries(headers).flat()
const made = {
  page: { plain: flat({ ...always, ...pageOnly }), secure: flat({ ...always, ...pageOnly, ...secured }) },
  api: { plain: flat({ ...always, ...apiOnly }), secure: flat({ ...always, ...apiOnly, ...secured }) },
}

/** Names and values in turn, as `writeHead` takes them; made once, because every request needs them. */
export const securityHeaders = (kind: AnswerKind, secure: boolean): readonly string[] =>
  made[kind][secure ? 'secure' : 'plain']
