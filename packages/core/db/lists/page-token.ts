/** The token that continues a list: opaque text to clients. */
import { limits } from '@purlin/contract/rules/limits'
import { fromBase64, toBase64 } from '@purlin/contract/wire'
import { memoizeRecent } from '#/concurrency/memoize.ts'
import { fault } from '#/faults.ts'

/** The content of a token: every parameter of the first request, and the last key. */
interface Token {
  v: 'v1'
  page_start: { query: Record<string, string | string[]>; last: string }
}

function decodeText(data: Uint8Array): string {
  // Texts of our own nearly always are; the token is short.
  if (data.every((byte) => byte < 0x80)) return String.fromCharCode(...data)
  return decodeURIComponent(data.reduce((sum, byte) => `${sum}%${byte.toString(16).padStart(2, '0')}`, ''))
}
// Names and ids are ASCII, which encodes to itself.
const asBytes = (text: string): string =>
  /[^\0-\x7f]/.test(text)
    ? encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text

function encodeText(text: string): Uint8Array {
  const bytes = asBytes(text)
  const data = new Uint8Array(bytes.length)
  for (let i = 0; i < bytes.length; i++) data[i] = bytes.charCodeAt(i)
  return data
}

/** The text of a token. */
export function writeToken(token: Token): string {
  return toBase64(encodeText(JSON.stringify(token)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** A request reads its token twice: for its parameters and for its position. */
export const readToken = memoizeRecent(64, parseToken)

function parseToken(text: string): Token['page_start'] {
  if (text.length > limits.page.token) throw fault.badToken('too large')
  let token: Partial<Token>
  try {
    token = JSON.parse(
      decodeText(fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))),
    ) as Partial<Token>
  } catch {
    throw fault.badToken('corrupted token')
  }
  if (typeof token !== 'object' || token === null) throw fault.badToken('corrupted token')
  if (token.v !== 'v1') throw fault.badToken('unsupported version')
  const start: unknown = token.page_start
  if (!isStart(start)) throw fault.badToken('corrupted token')
  return start
}

function isStart(value: unknown): value is Token['page_start'] {
  if (typeof value !== 'object' || value === null) return false
  const { query, last } = value as Record<string, unknown>
  // A NUL is text to JSON, but not to every engine.
  if (typeof last !== 'string' || last.includes('\0') || typeof query !== 'object' || query === null)
    return false
  const isText = (item: unknown) => typeof item === 'string'
  return Object.values(query).every((item) => (Array.isArray(item) ? item.every(isText) : isText(item)))
}
