/** Rules of passwords. */
import { limits } from '../limits.ts'

const { min, max } = limits.password

/** Why a password may not be set, or undefined if it may. */
export function passwordProblem(password: string): string | undefined {
  if (utf8Length(password) > max) return `must have at most ${max} bytes`
  if (Array.from(password).length < min) return `must have at least ${min} characters`
  return undefined
}

/** True if no account has this password, because none may be that long. */
export const isTooLong = (password: string): boolean => utf8Length(password) > max

const utf8Length = (text: string): number => encodeURIComponent(text).replace(/%../g, '.').length
