/**
 * The typed query of a list: words to find, and filters: `web state:failed memory>16GiB created<7d -name:test`. A value with a space stands in quotes. A word in quotes is always one to find.
 */
import type { Columns } from './columns.ts'
import { filterText, isTrouble, readFilter, type Trouble } from './filter.ts'

/** The parts of a query, as the address of a list has them. */
export interface Query {
  /** Words to find, with single spaces. */
  readonly find: string
  /** As the parameter `filter` has them. */
  readonly filters: readonly string[]
}

/** A word as it is typed. */
export interface Word {
  readonly start: number
  readonly end: number
  /** Without quotes. */
  readonly text: string
  /** The word begins with a quote. */
  readonly isQuoted: boolean
}

/** The words of a text, between spaces or commas. A quote that is not closed ends with the text. */
export function wordsIn(text: string, gap: ' ' | ',' = ' '): Word[] {
  const isGap = (char: string) => (gap === ',' ? char === ',' : /\s/.test(char))
  const words: Word[] = []
  for (let i = 0; i < text.length;) {
    if (isGap(text.charAt(i))) i += 1
    else {
      const word = wordAt(text, i, isGap)
      words.push(word)
      i = word.end
    }
  }
  return words
}

function wordAt(text: string, start: number, isGap: (char: string) => boolean): Word {
  let read = ''
  let isInside = false
  let i = start
  for (; i < text.length; i += 1) {
    const char = text.charAt(i)
    if (!isInside && isGap(char)) break
    if (char === '"') isInside = !isInside
    else if (isInside && char === '\\' && i + 1 < text.length) {
      i += 1
      read += text.charAt(i)
    } else read += char
  }
  return { start, end: i, text: read, isQuoted: text.charAt(start) === '"' }
}

const needsQuotes = /[\s,"]/
const inQuotes = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

const typed = /^(-?)([a-z][a-z_]*)(:(?:>=|<=|>|<|)|>=|<=|>|<|=)(.*)$/is
// Addresses of machines and of pages have colons too.
const isAddress = /^[0-9a-f:./]+$|:\//i

/** The filter that a typed word is meant to be. Undefined for a word to find. */
function filterIn(columns: Columns, { text, isQuoted }: Word): string | undefined {
  const [, minus = '', name = '', by = '', value = ''] = (isQuoted ? undefined : typed.exec(text)) ?? []
  const column = name.toLowerCase()
  if (column === '') return undefined
  if (!columns.has(column) && (columns.size === 0 || by === '=' || isAddress.test(text))) return undefined
  return `${minus}${column}:${by.replace(/^[:=]/, '')}${value}`
}

/**
 * Reads a typed query. A word that is no filter although it looks like one is left out, and named; so are words to find if
 * the list has filters only.
 */
export function readQuery(
  columns: Columns,
  text: string,
  { hasWords = true }: { hasWords?: boolean } = {},
): Query & { troubles: readonly Trouble[] } {
  const find: string[] = []
  const filters: string[] = []
  const troubles: Trouble[] = []
  for (const word of wordsIn(text)) {
    const filter = filterIn(columns, word)
    const read = filter === undefined ? undefined : readFilter(columns, filter)
    if (!read && !hasWords) {
      const message = `expected a filter, by ${[...columns.keys()].join(', ')}`
      troubles.push({ message, start: word.start, end: word.end })
    } else if (!read) find.push(...word.text.split(/\s+/).filter(Boolean))
    else if (isTrouble(read)) troubles.push({ message: read.message, start: word.start, end: word.end })
    else filters.push(filterText(read))
  }
  return { find: find.join(' '), filters: [...new Set(filters)], troubles }
}

/** The word of a filter. */
function typedFilter(filter: string): string {
  const [, before = '', value = ''] = /^(-?[^:]*:(?:>=|<=|>|<|))(.*)$/s.exec(filter) ?? []
  const short = before.replace(/:(?=[<>])/, '')
  return `${short}${needsQuotes.test(value) ? inQuotes(value) : value}`
}

/** The text of a query: reading it gives the same query. */
export function queryText(columns: Columns, { find, filters }: Query): string {
  const words = find.split(/\s+/).filter(Boolean)
  const isPlain = (text: string) =>
    !text.includes('"') && filterIn(columns, { start: 0, end: 0, text, isQuoted: false }) === undefined
  return [...filters.map(typedFilter), ...words.map((one) => (isPlain(one) ? one : inQuotes(one)))].join(' ')
}

/** Filters as one text of an address, between commas. */
export const joinFilters = (filters: readonly string[]): string =>
  filters.map((one) => (needsQuotes.test(one) ? quotedValue(one) : one)).join(',')

function quotedValue(filter: string): string {
  const at = filter.indexOf(':') + 1
  return `${filter.slice(0, at)}${inQuotes(filter.slice(at))}`
}

/** The filters of such a text. */
export const splitFilters = (text: string): string[] => wordsIn(text, ',').map((word) => word.text)
