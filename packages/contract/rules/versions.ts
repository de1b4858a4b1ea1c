/** Versions of releases: Semantic Versioning 2.0.0. */
import { limits } from './limits.ts'

/** The pattern that the standard suggests. */
export const versionPattern =
  '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$'
const pattern = new RegExp(versionPattern)
const digits = 19

/** Why a text is no version; undefined if it is one. */
export function versionProblem(text: string): string | undefined {
  const { version: most } = limits.formats
  if (text.length > most) return `a version has at most ${most} characters`
  if (!pattern.test(text)) return 'expected a version such as 1.2.3'
  return /\d{20}/.test(text) ? `a number in a version has at most ${digits} digits` : undefined
}

/**
 * A text whose byte order is the precedence of versions (section 11 of the standard). Versions that differ only in build
 * metadata, which has no precedence, have the same one.
 */
export function precedenceKey(version: string): string {
  const [, major = '', minor = '', patch = '', before] = pattern.exec(version) ?? []
  const numbers = [major, minor, patch].map((part) => part.padStart(digits, '0')).join('.')
  // A release comes after its pre-releases; an identifier of digits before one with letters.
  const identifiers = before
    ?.split('.')
    .map((id) => (/^\d+$/.test(id) ? `0${id.padStart(digits, '0')}` : `1${id}`))
  return `${numbers}.${identifiers?.join('!') ?? '~'}`
}

/** True if a version has a lower precedence than another one. */
export const isOlder = (version: string, than: string): boolean =>
  precedenceKey(version) < precedenceKey(than)
