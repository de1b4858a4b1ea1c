/** Rules of names and descriptions. */
import { limits } from './limits.ts'
import { keysOf } from './keys.ts'

const uuidShape = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})$/i

export const nameMaxLength = limits.formats.name
export const descriptionMaxLength = limits.description
const hostnameMaxLength = limits.formats.hostname

/** True for the text form of a UUID (RFC 9562) in either case, also without dashes: other clients take both for ids. */
export const isUuid = (text: string): boolean => uuidShape.test(text)
/** The text of a UUID as ids are stored: in lower case, with dashes. */
export const canonicalUuid = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('-', '')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Rules that a resource name can break, in the order in which the server reports them. */
const nameRules = {
  empty: (name: string) => name.length === 0,
  length: (name: string) => name.length > nameMaxLength,
  start: (name: string) => !/^[a-z]/.test(name),
  characters: (name: string) => badCharacter.test(name),
  end: (name: string) => name.endsWith('-'),
  uuid: isUuid,
}
const badCharacter = /[^a-z0-9-]/u
export type NameRule = keyof typeof nameRules

/** True if the name breaks the rule. */
export const breaks = (rule: NameRule, name: string): boolean => nameRules[rule](name)

/** The problem with a resource name, as the server words it, or undefined. */
export function nameProblem(name: string): string | undefined {
  const broken = rulesOfNames.find((rule) => breaks(rule, name))
  return broken && nameWords(name)[broken]
}
const rulesOfNames = keysOf(nameRules)
const nameWords = (name: string): Record<NameRule, string> => ({
  empty: 'name requires at least one character',
  length: `name may contain at most ${nameMaxLength} characters`,
  start: 'name must begin with an ASCII lowercase character',
  characters: `name contains invalid character: "${badCharacter.exec(name)?.[0]}" (allowed characters are lowercase ASCII, digits, and "-")`,
  end: 'name cannot end with "-"',
  uuid: 'name cannot be a UUID to avoid ambiguity with IDs',
})

/** The length of a text as it is limited: in code points, not UTF-16 units. */
export const textLength = (text: string): number =>
  text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '.').length

/** The problem with a hostname (RFC 1035 labels), or undefined. */
export function hostnameProblem(hostname: string): string | undefined {
  if (hostname.length > hostnameMaxLength) return `Max hostname length is ${hostnameMaxLength}`
  const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i
  return hostname.split('.').every((part) => label.test(part))
    ? undefined
    : 'Hostnames must comply with RFC 1035'
}
