/** Rules of passwords. */
import { limits } from '../limits.ts'

const { min, max } = limits.password
// A shorter name is in many words.
const shortestName = 4

/**
 * Why a user may not have a password, or undefined if nothing but the list of common passwords could forbid it. Without
 * a name it is not compared with one.
 */
export function passwordProblem(password: string, username = ''): string | undefined {
  if (utf8Length(password) > max) return `must have at most ${max} bytes`
  if (Array.from(password).length < min) return `must have at least ${min} characters`
  const isNamed = username.length >= shortestName
  if (isNamed && password.toLowerCase().includes(username.toLowerCase()))
    return 'must not contain the name of the user'
  return undefined
}

/** The problem with a password that `isCommon`. */
export const commonProblem = 'is one of the common passwords, or nearly one: choose a less likely one'

/**
 * True for a password of a list in lower case, also if it is repeated, or has fewer digits and signs at its ends than it
 * has letters.
 */
export function isCommon(password: string, list: ReadonlySet<string>): boolean {
  const text = password.toLowerCase()
  const stem = text.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '')
  const kernels = stem.length * 2 > text.length ? [text, stem] : [text]
  return kernels.some((one) => list.has(one) || list.has(repeatedIn(one)))
}

/** The shortest text that `text` is a repetition of: one character alone, too. */
function repeatedIn(text: string): string {
  // A text is a repetition of its beginning if it is found in itself, twice, before its end.
  return text.slice(0, `${text}${text}`.indexOf(text, 1))
}

/** True if no account has this password, because none may be that long. */
export const isTooLong = (password: string): boolean => utf8Length(password) > max

const utf8Length = (text: string): number => encodeURIComponent(text).replace(/%../g, '.').length
