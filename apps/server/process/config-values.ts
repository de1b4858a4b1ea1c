/** Reads the values of settings. Each function throws ConfigError for a text that it does not understand. */
import { parseIp } from '@purlin/contract/rules/network/ip'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { messageOf } from '@purlin/databases/error-codes'
import { emailAddressProblem } from '@purlin/contract/rules/alerts/addresses'
import { readCounts } from '@purlin/contract/rules/counts'
import { passwordProblem } from '@purlin/contract/rules/credentials/passwords'
import { hostnameProblem, nameProblem } from '@purlin/contract/rules/names'
import { networkOf } from '../webhooks/addresses.ts'

/** An invalid flag or variable. The message is for the person who typed it. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** A whole number between two others. */
export const whole = (min: number, max: number) => (text: string) => {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= min && number <= max)) throw new ConfigError(`must be a whole number from ${min} to ${max}`)
  return number
}
/** One of some words. */
export const oneOf =
  <const W extends string>(choices: readonly W[]) =>
  (text: string) => {
    const word = choices.find((one) => one === text)
    if (word === undefined) throw new ConfigError(`must be one of ${choices.join(', ')}`)
    return word
  }
/** Any text but an empty one. */
export const notEmpty = (text: string) => {
  if (text === '') throw new ConfigError('must not be empty')
  return text
}
/** Any text; an empty one is none. */
export const optional = (text: string) => (text === '' ? undefined : text)
/** The name of a resource. */
export const name = (text: string) => {
  const problem = nameProblem(text)
  if (problem !== undefined) throw new ConfigError(problem)
  return text
}
/** A new password; an empty one is none. */
export const password = (text: string) => {
  if (text === '') return undefined
  const problem = passwordProblem(text)
  if (problem !== undefined) throw new ConfigError(problem)
  return text
}
/** A token for `Bearer` (RFC 6750, section 2.1). */
export const metricsToken = (text: string) => {
  if (text !== '' && !/^[\w.~+/-]{16,200}={0,2}$/.test(text))
    throw new ConfigError('must have 16 to 200 letters, digits and . _ ~ + / -')
  return optional(text)
}
/** Networks, separated by commas. */
export const networks = (text: string) => {
  const list = text === '' ? [] : text.split(',').map((one) => one.trim())
  const wrong = list.find((one) => !networkOf(one))
  if (wrong !== undefined)
    throw new ConfigError(`must be networks such as 127.0.0.0/8,fd00::/8; "${wrong}" is none`)
  return list
}
/** An IP address of a machine, perhaps. */
export const ipAddress = (text: string) => {
  if (text !== '' && !parseIp(text))
    throw new ConfigError(`must be an IP address such as 192.0.2.7; "${text}" is none`)
  return optional(text)
}
/** The address of a PostgreSQL database. */
export const postgresUrl = (text: string) => {
  const looksRight = /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
  if (text !== '' && !looksRight) throw new ConfigError('must look like postgres://user@host/database')
  return optional(text)
}
/** The address of an SMTP server, perhaps with a user. */
export const smtpUrl = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.password)
    throw new ConfigError(
      'must not contain a password: use --smtp-password-file or the variable PURLIN_SMTP_PASSWORD',
    )
  const isWhole = url && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
  if (text !== '' && !(isWhole && url.pathname.length <= 1 && url.search + url.hash === ''))
    throw new ConfigError('must look like smtp://user@mail.example.org:587')
  return optional(text)
}
/** The address of a collector of traces. */
export const collectorUrl = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && url.username + url.password + url.search !== '')
    throw new ConfigError(
      'must not contain a user, password or query: use the variable PURLIN_TRACES_HEADERS',
    )
  const isWhole = url && /^https?:$/.test(url.protocol) && url.pathname !== '/' && url.hash === ''
  if (text !== '' && !isWhole)
    throw new ConfigError('must look like http://127.0.0.1:4318/v1/traces, with the path')
  return url?.href
}
/** A share of all, 0 to 1. */
export const ratio = (text: string) => {
  if (!/^(?:0?\.\d{1,9}|0|1(?:\.0*)?)$/.test(text)) throw new ConfigError('must be a number from 0 to 1')
  return Number(text)
}
/** Headers as OpenTelemetry writes them: `Name=value,Other=value`, percent-encoded. No message has a value. */
export const tracesHeaders = (text: string) => {
  const entries = text === '' ? [] : text.split(',').map(headerOf)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
function headerOf(pair: string): [string, string] {
  const [, name = '', encoded = ''] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(pair) ?? []
  try {
    const value = decodeURIComponent(encoded.trim())
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return [name, value]
  } catch {
    throw new ConfigError('must be headers such as Authorization=Bearer%20TOKEN,X-Tenant=cloud')
  }
}
/** An address of e-mail. */
export const emailAddress = (text: string) => {
  const problem = text === '' ? undefined : emailAddressProblem(text)
  if (problem !== undefined) throw new ConfigError(problem)
  return optional(text)
}
/** Scheme, host and port. */
export const origin = (text: string) => {
  if (text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Without a path: the console knows only its own ones.
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (!isOrigin) throw new ConfigError('must look like https://cloud.example.org, without a path')
  return url.origin
}
/** A domain, in lower case. */
export const domain = (text: string) => {
  const problem = hostnameProblem(text)
  if (problem !== undefined) throw new ConfigError('must be a domain such as cloud.example.org')
  return text.toLowerCase()
}
/** Limits by their names. */
export const counts = (text: string) => {
  try {
    return readCounts(text)
  } catch (error) {
    throw new ConfigError(messageOf(error), { cause: error })
  }
}
const truth: Record<string, boolean> = {
  '': false,
  false: false,
  0: false,
  no: false,
  true: true,
  1: true,
  yes: true,
}
/** Yes or no. */
export const onOff = (text: string) => {
  const value = truth[text.toLowerCase()]
  if (value === undefined) throw new ConfigError('must be true or false')
  return value
}
/** A number of backups. */
export const backupsKept = whole(1, 10_000)
