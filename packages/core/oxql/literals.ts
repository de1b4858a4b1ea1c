/** Conversion of literals from and to their text in a query. */
import { canonicalUuid, isUuid } from '@purlin/contract/rules/names'
import { formatIp, parseIp } from '@purlin/contract/rules/network/ip'
import { type Duration, durationMs, type Literal, type Moment, unitMs } from './syntax.ts'

/** A text has the form of a literal but no valid value. The message names the expected one. */
export class InvalidLiteral extends Error {
  override name = 'InvalidLiteral'
}

const day = unitMs.d
const bounds = { min: -(2n ** 63n), max: 2n ** 64n - 1n, maxUnits: 2n ** 32n - 1n }

/** Decimal, or hexadecimal after `0x`. */
export function readInteger(text: string): bigint {
  const isNegative = text.startsWith('-')
  const size = BigInt(isNegative ? text.slice(1) : text)
  const value = isNegative ? -size : size
  if (value < bounds.min || value > bounds.max)
    throw new InvalidLiteral(`an integer from ${bounds.min} to ${bounds.max}`)
  return value
}

export function readDouble(text: string): Literal {
  const value = Number(text)
  if (!Number.isFinite(value)) throw new InvalidLiteral('a double that is finite')
  return { type: 'Double', value }
}

/** The number of units of a duration. */
export function readCount(text: string): number {
  const count = readInteger(text)
  if (count < 0n || count > bounds.maxUnits)
    throw new InvalidLiteral(`a duration of 0 to ${bounds.maxUnits} units`)
  return Number(count)
}

/** Text in double quotes, which is a UUID or an IP address if it looks like one. */
export function readQuoted(raw: string): Literal {
  if (isUuid(raw)) return { type: 'Uuid', value: canonicalUuid(raw) }
  const ip = raw === raw.toLowerCase() ? parseIp(raw) : undefined
  return ip ? { type: 'IpAddr', value: formatIp(ip) } : readText(raw)
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\', '0': '\0' }
/** Text with escape sequences. */
export function readText(raw: string): Literal {
  const value = raw.replace(/\\(?:u\{([0-9a-fA-F]{1,6})\}|([^]?))/g, (_, hex?: string, char?: string) => {
    const code = hex === undefined ? undefined : Number.parseInt(hex, 16)
    if (code !== undefined && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff))
      return String.fromCodePoint(code)
    const known = escapes[char ?? '']
    if (known === undefined)
      throw new InvalidLiteral(String.raw`one of the escapes \n \r \t \\ \0 \u{1-6 hex digits}`)
    return known
  })
  return { type: 'String', value }
}

/** `2026-01-02T03:04:05.678`, only a date, or only a time of today; in UTC. */
export function readMoment(text: string): Moment {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)?T?(.*)$/.exec(text) ?? []
  const within = time ? readTime(time) : 0
  return date ? { since: 'epoch', ms: readDate(date) + within } : { since: 'midnight', ms: within }
}
function readDate(date: string): number {
  const ms = Date.parse(`${date}T00:00:00Z`)
  // Date.parse accepts the 30th of February as a day in March.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(date))
    throw new InvalidLiteral('a day of the calendar')
  return ms
}
function readTime(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  if (hours > 23 || minutes > 59 || seconds >= 60) throw new InvalidLiteral('a time of day')
  return hours * unitMs.h + minutes * unitMs.m + seconds * unitMs.s
}

// The range of dates in ECMAScript.
const maxTime = 8.64e15
/** Milliseconds since 1970. */
export function resolveMoment(moment: Moment, now: number): number {
  if (moment.since === 'now') {
    const by = durationMs(moment.by) * (moment.sign === '-' ? -1 : 1)
    return Math.max(-maxTime, Math.min(maxTime, now + by))
  }
  return moment.ms + (moment.since === 'epoch' ? 0 : Math.floor(now / day) * day)
}

/** RFC 3339 without the zone, in milliseconds or, if needed, nanoseconds. */
export function isoText(ms: number): string {
  const whole = Math.floor(ms)
  const fraction =
    ms === whole
      ? ''
      : Math.min(ms - whole, 0.999_999)
          .toFixed(6)
          .slice(2)
  return new Date(whole).toISOString().slice(0, -1) + fraction
}

function momentText(moment: Moment): string {
  if (moment.since === 'now')
    return moment.by.count ? `@now() ${moment.sign} ${durationText(moment.by)}` : '@now()'
  return `@${moment.since === 'epoch' ? isoText(moment.ms) : isoText(moment.ms).slice(11)}`
}
const durationText = ({ count, unit }: Duration) => `${count}${unit}`

const escaped = (text: string, quote: string) =>
  text.replace(/[\\\n\r\t\0'"]/g, (char) => {
    const short = Object.keys(escapes).find((letter) => escapes[letter] === char)
    if (short !== undefined) return `\\${short}`
    return char === quote ? `\\u{${char.charCodeAt(0).toString(16)}}` : char
  })
function stringText(value: string): string {
  const quoted = escaped(value, '"')
  return readQuoted(quoted).type === 'String' ? `"${quoted}"` : `'${escaped(value, "'")}'`
}

/** Formats a literal as in a query. */
export function literalText({ type, value }: Literal): string {
  switch (type) {
    case 'Duration':
      return durationText(value)
    case 'Timestamp':
      return momentText(value)
    case 'String':
      return stringText(value)
    case 'Uuid':
    case 'IpAddr':
      return `"${value}"`
    case 'Double':
      return doubleText(value)
    case 'Boolean':
    case 'Integer':
      return String(value)
  }
}
function doubleText(value: number): string {
  const text = (Object.is(value, -0) ? '-0' : String(value)).replace('e+', 'e')
  return /[.e]/.test(text) ? text : `${text}.0`
}
