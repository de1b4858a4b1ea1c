/**
 * Values that lists show and rows are found by, but the index of words does not have, because they change often or are
 * in other tables: states, sizes and addresses of instances. They are compared when the rows are read.
 */
import { formatBytes, GiB, KiB, MiB, TiB } from '@purlin/contract/rules/limits'
import { rulesOf } from '@purlin/contract/rules/lists'
import { keyOf } from '@purlin/contract/rules/network/ip'
import { memoizeRecent } from '#/concurrency/memoize.ts'

/** A column of a table with the text of each of its values. */
interface ValueColumn {
  field: string
  textOf: (value: unknown) => string
  /** All texts, of a column that has few. */
  all?: readonly string[]
}

const units = [TiB, GiB, MiB, KiB]
const names = new Map([
  [TiB, 'TiB'],
  [GiB, 'GiB'],
  [MiB, 'MiB'],
  [KiB, 'KiB'],
])

/** `1536 GiB 1.5 TiB`: in the largest unit that divides it, and rounded in the largest unit that it has. */
function textOfBytes(value: unknown): string {
  const size = Number(value)
  const unit = units.find((one) => size >= one)
  if (unit === undefined) return formatBytes(size)
  return `${formatBytes(size)} ${Math.round((100 * size) / unit) / 100} ${names.get(unit)}`
}

const textOf = {
  bytes: textOfBytes,
  vCPUs: (value: unknown) => `${String(value)} ${value === 1 ? 'vCPU' : 'vCPUs'}`,
}

/** These columns of a table: those that its list is filtered by, and sizes. */
export const valueColumns = memoizeRecent(1000, (table): ValueColumn[] => {
  const { filters, orders } = rulesOf(table)
  return [
    ...Object.values(filters).flatMap((one): ValueColumn[] =>
      'isFlag' in one ? [] : [{ field: one.field, textOf: String, all: one.values }],
    ),
    ...Object.values(orders).flatMap(({ field, unit }): ValueColumn[] =>
      unit ? [{ field, textOf: textOf[unit] }] : [],
    ),
  ]
})

// Numbers of sizes are short.
const beginsSize = /^(\d{1,4}([.,]\d{0,2})?|[ktmg]?i?b?|[ktmg]ib|v?c?p?u?s?)$/

/** True if a word may be the beginning of a value of these columns. */
export function mayBeValue(table: string, word: string): boolean {
  const columns = valueColumns(table)
  return (
    columns.some(({ all }) => all?.some((value) => ` ${value.replaceAll('_', ' ')}`.includes(` ${word}`))) ||
    (columns.some(({ all }) => !all) && beginsSize.test(word))
  )
}

/** Keys of the first and the last address of a range. */
export type KeyRange = readonly [first: string, last: string]

interface Notation {
  family: 4 | 6
  separator: string
  parts: number
  radix: number
  /** The largest part. */
  max: number
}
const notations: readonly Notation[] = [
  { family: 4, separator: '.', parts: 4, radix: 10, max: 0xff },
  { family: 6, separator: ':', parts: 8, radix: 16, max: 0xffff },
]

/** The addresses whose text begins with a text that has the separator of addresses. Empty for any other text. */
export function addressesFrom(text: string): KeyRange[] {
  const notation = notations.find(({ separator }) => text.includes(separator))
  if (!notation) return []
  const { family, separator, parts, radix, max } = notation
  const texts = text.split(separator)
  const numbers = texts.map((part) => (part === '' ? Number.NaN : Number.parseInt(part, radix)))
  const last = texts.at(-1) ?? ''
  const known = numbers.slice(0, -1)
  const isRead = (number: number, i: number) => number <= max && number.toString(radix) === texts[i]
  if (texts.length > parts || !known.every(isRead)) return []
  const rest = parts - texts.length
  const range = (first: number, end: number): KeyRange => {
    const key = (own: number, filled: number) => {
      const all = [...known, own, ...Array.from({ length: rest }, () => filled)]
      const value = all.reduce((sum, part) => sum * BigInt(max + 1) + BigInt(part), 0n)
      return keyOf({ family, value })
    }
    return [key(first, 0), key(end, max)]
  }
  if (last === '') return [range(0, max)]
  const begun = numbers.at(-1) ?? Number.NaN
  if (!isRead(begun, texts.length - 1)) return []
  // The number itself, and those with one and more digits after it: zero has none.
  const ranges: KeyRange[] = []
  for (let size = 1; begun * size <= max; size *= radix) {
    ranges.push(range(begun * size, Math.min(max, begun * size + size - 1)))
    if (begun === 0) break
  }
  return ranges
}
