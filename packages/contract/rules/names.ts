/** Grammar of names and descriptions, obeyed by server and console alike. */

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const nameMaxLength = 63
export const descriptionMaxLength = 512
const hostnameMaxLength = 253

/** True for the text form of a UUID (RFC 9562), in either case. */
export const isUuid = (text: string): boolean => uuidShape.test(text)

/** What is wrong with a resource name, in the server's words, or undefined. */
export function nameProblem(name: string): string | undefined {
  if (name.length === 0) return 'name requires at least one character'
  if (name.length > nameMaxLength) return `name may contain at most ${nameMaxLength} characters`
  if (!/^[a-z]/.test(name)) return 'name must begin with an ASCII lowercase character'
  const bad = /[^a-z0-9-]/u.exec(name)
  if (bad)
    return `name contains invalid character: "${bad[0]}" (allowed characters are lowercase ASCII, digits, and "-")`
  if (name.endsWith('-')) return 'name cannot end with "-"'
  if (isUuid(name)) return 'name cannot be a UUID to avoid ambiguity with IDs'
  return undefined
}

/** What is wrong with a hostname (RFC 1035 labels), or undefined. */
export function hostnameProblem(hostname: string): string | undefined {
  if (hostname.length > hostnameMaxLength) return `Max hostname length is ${hostnameMaxLength}`
  const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i
  return hostname.split('.').every((part) => label.test(part))
    ? undefined
    : 'Hostnames must comply with RFC 1035'
}
