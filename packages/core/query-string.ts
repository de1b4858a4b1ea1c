/** Fields of query strings and forms. */
import { limits } from '@purlin/contract/rules/limits'
import { fault } from './faults.ts'

/** The part of URLSearchParams that core reads. */
export interface URLSearchParamsLike {
  getAll(name: string): string[]
  has(name: string): boolean
}

/** A query string that was read. */
export interface ParsedSearch extends URLSearchParamsLike {
  keys(): Iterable<string>
}

/** The parts of a text before and after the first separator; the second is empty without one. */
export function splitOnce(text: string, by: string): [string, string] {
  const at = text.indexOf(by)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** A query string as a map of lists. Throws 400 for broken percent-encoding and for too many parameters. */
export function parseSearch(query: string, refuse = fault.badQuery): ParsedSearch {
  const found = new Map<string, string[]>()
  const pairs = query === '' ? [] : query.split('&', limits.queryPairs + 1)
  if (pairs.length > limits.queryPairs) throw refuse(`more than ${limits.queryPairs} parameters`)
  for (const pair of pairs) {
    const [key, value] = splitOnce(pair, '=').map((part) => decodePart(part, refuse)) as [string, string]
    const list = found.get(key)
    if (list) list.push(value)
    else found.set(key, [value])
  }
  return {
    getAll: (name) => found.get(name) ?? [],
    has: (name) => found.has(name),
    keys: () => found.keys(),
  }
}

function decodePart(text: string, refuse: typeof fault.badQuery): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw refuse('malformed percent-encoding')
  }
}
