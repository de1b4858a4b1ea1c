/** The words of rows and of searches. Both are split in the same way. */
import { hasNames } from '@purlin/contract/rules/kinds'
import { hasTags } from '@purlin/contract/rules/lists'
import { formatIp, fromKey, keyOf, parseIp } from '@purlin/contract/rules/network/ip'
import { limits } from '@purlin/contract/rules/limits'
import { memoizeRecent } from '#/concurrency/memoize.ts'
import { kindOfTable } from '../kinds.ts'
import { tagsIn } from '../rows/tags.ts'
import { columnsListed } from './listed.ts'
import { addressesFrom, valueColumns, type KeyRange } from './search-values.ts'

/** The number of parts of a row or search that count. */
const mostParts = 64
const longestPart = 64

/**
 * The parts of a text: runs of letters and runs of digits, in lower case and without diacritics. `web-Prod12` has
 * `web`, `prod` and `12`.
 */
export const partsOf = (text: string): string[] =>
  (
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/\p{L}+|\p{N}+/gu) ?? []
  )
    .slice(0, mostParts)
    .map((part) => part.slice(0, longestPart))

/** A search: all of its words, in any order. */
export type Find = readonly Word[]
interface Word {
  /** They follow each other in the text; the last one begins a part of it. */
  parts: readonly string[]
  /** The word itself. */
  text: string
  /** The beginning of an id, if the word may be one. */
  id?: string
  /** The ranges of addresses that begin with the word or equal it; none unless it looks like an address. */
  addresses: readonly KeyRange[]
}

// Fewer digits are often part of a name.
const idStart = /^[0-9a-f]{8}[0-9a-f-]*$/

/**
 * Parses a search text. Undefined if it has only spaces. The time of a search grows with the number of words, so only
 * the first different ones count. No row has a word without a letter or digit.
 */
export function readFind(text: string | undefined): Find | undefined {
  const words = [...new Set((text ?? '').toLowerCase().split(/\s+/).filter(Boolean))]
  if (words.length === 0) return undefined
  return words.slice(0, limits.findWords).map((word) => ({
    parts: partsOf(word),
    text: word,
    ...(idStart.test(word) ? { id: word } : {}),
    addresses: addressesOf(word),
  }))
}

function addressesOf(word: string): KeyRange[] {
  const address = parseIp(word)
  if (!address) return addressesFrom(word)
  const key = keyOf(address)
  return [[key, key]]
}

/** Columns with further texts that a list shows of its rows. */
const shown: Readonly<Record<string, readonly string[]>> = {
  instance: ['hostname'],
  image: ['os', 'version'],
  vpc: ['dnsName'],
  vpcSubnet: ['ipv4Block', 'ipv6Block'],
  sled: ['serial'],
  physicalDisk: ['serial', 'model'],
  switch: ['serial'],
}

type Row = Readonly<Record<string, unknown>>

/** The columns of a table that searches match, in addition to the id. */
export const textColumns = memoizeRecent(1000, (table): string[] => {
  const more = shown[table] ?? []
  const columns = columnsListed(table)
  if (columns)
    return ['name', 'displayName', 'description', ...more, 'ipKey', 'tagsJson'].filter((one) =>
      columns.includes(one),
    )
  const kind = kindOfTable(table)
  const tags = kind && hasTags(kind) ? ['tagsJson'] : []
  return kind && hasNames(kind) ? ['name', 'description', ...more, ...tags] : [...more]
})

const textOf = (column: string, value: unknown): string => {
  if (typeof value !== 'string') return ''
  return column === 'ipKey' ? formatIp(fromKey(value)) : value
}

// A resource has many tags, which texts must not crowd out.
const mostPartsOfTags = 256
const partsOfTags = (json: unknown): string[] =>
  typeof json === 'string'
    ? Object.entries(tagsIn(json)).flat().flatMap(partsOf).slice(0, mostPartsOfTags)
    : []

/** A number is found with the zeros that it begins with and without them. */
const withoutZeros = (part: string): string => part.replace(/^0+(?=\d)/, '')

/** The parts of a row, in order, and once more without the zeros of numbers. */
export function partsOfRow(table: string, row: Row): { parts: string[]; bare: string[] } {
  const texts = textColumns(table).filter((column) => column !== 'tagsJson')
  const parts = [
    ...texts.flatMap((column) => partsOf(textOf(column, row[column]))).slice(0, mostParts),
    ...partsOfTags(row['tagsJson']),
  ]
  return { parts, bare: parts.map(withoutZeros) }
}

/** The columns that say whether an instance has an address that the word with this index looks for. */
export const addressCounts = (word: number) => [`interfaces${word}`, `externalIps${word}`] as const

/** True if the parts of a word follow each other in one of these texts, the last as the beginning of a part. */
const haveWord = (texts: readonly (readonly string[])[], parts: readonly string[]): boolean =>
  parts.length > 0 && texts.some((text) => ` ${text.join(' ')}`.includes(` ${parts.join(' ')}`))

/** True if a text has a word: as a search finds it. */
export function hasWord(text: string, word: string): boolean {
  const parts = partsOf(text)
  return haveWord([parts, parts.map(withoutZeros)], partsOf(word))
}

/** True if a row has each of the words, in a text, a value, its id or an address. */
export function isFound(find: Find, table: string, row: Row): boolean {
  const { parts: all, bare } = partsOfRow(table, row)
  const values = valueColumns(table).flatMap(({ field, textOf: text }) =>
    row[field] === undefined ? [] : partsOf(text(row[field])),
  )
  return find.every(
    ({ parts, id }, i) =>
      haveWord([all, bare, values], parts) ||
      (id !== undefined && String(row['id']).startsWith(id)) ||
      addressCounts(i).some((name) => Number(row[name] ?? 0) > 0),
  )
}
