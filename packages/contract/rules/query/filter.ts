/**
 * One filter of a list, as the parameter `filter` has it: `state:failed`, `-name:test`, `memory:>16GiB`,
 * `created:<7d`. Server, console and command line read it here.
 */
import { GiB, KiB, limits, MiB, TiB } from '../limits.ts'
import { canonicalUuid, isUuid } from '../names.ts'
import type { Columns, QueryColumn } from './columns.ts'

export const comparisons = ['>=', '<=', '>', '<'] as const
export type Comparison = (typeof comparisons)[number]

/** ms since 1970, or before the present. */
export type Moment = { readonly at: number } | { readonly ago: number }

export interface Filter {
  readonly name: string
  readonly column: QueryColumn
  readonly isNot: boolean
  /** Undefined: equality. */
  readonly by: Comparison | undefined
  /** The value as it is written. */
  readonly text: string
  readonly value: string | number | Moment
}

/** Why a text is no filter, and the part of it that is wrong. */
export interface Trouble {
  readonly message: string
  readonly start: number
  readonly end: number
}

export const isTrouble = (one: object): one is Trouble => 'message' in one

const form = /^(-?)([^:]*):(>=|<=|>|<|)(.*)$/s
const unitSizes = { b: 1, kib: KiB, mib: MiB, gib: GiB, tib: TiB } as const
const minute = 60_000
const unitTimes = { m: minute, h: 60 * minute, d: 24 * 60 * minute, w: 7 * 24 * 60 * minute } as const
const sizeForm = /^(\d{1,16}(?:\.\d{1,6})?)(b|kib|mib|gib|tib|)$/i
const ageForm = /^(\d{1,6})([mhdw])$/i
// A date, or a time with its zone.
const timeForm = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/i

function sizeOf(text: string): number | undefined {
  const [, digits, unit = ''] = sizeForm.exec(text) ?? []
  if (digits === undefined) return undefined
  const size = Number(digits) * (unitSizes[unit.toLowerCase() as keyof typeof unitSizes] ?? 1)
  return Number.isSafeInteger(size) ? size : undefined
}

function momentOf(text: string): Moment | undefined {
  const [, count, unit = ''] = ageForm.exec(text) ?? []
  if (count !== undefined)
    return { ago: Number(count) * unitTimes[unit.toLowerCase() as keyof typeof unitTimes] }
  const at = timeForm.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : { at }
}

type Read = { value: Filter['value'] } | { problem: string }

/** The value of a filter, or the reason for refusing it. */
function valueOf(column: QueryColumn, name: string, text: string): Read {
  switch (column.type) {
    case 'choice':
      return column.filter.values.some((one) => one === text)
        ? { value: text }
        : { problem: `${name} is one of ${column.filter.values.join(', ')}` }
    case 'pair':
      return /^(=|$)/.test(text)
        ? { problem: `expected a key and a value: ${name}:key=value` }
        : { value: text }
    case 'exact':
      return text === '' ? { problem: `expected a value: ${name}:value` } : { value: text }
    case 'id':
      return isUuid(text)
        ? { value: canonicalUuid(text) }
        : { problem: `${name} is the id of one: ${name}:7f3a9e2c-4b1d-4c8e-9a0f-2d6b5e8c1a34` }
    case 'text':
      return /[\p{L}\p{N}]/u.test(text) ? { value: text } : { problem: `expected a word: ${name}:web` }
    case 'number':
      return numberOf(column, name, text)
    case 'time': {
      const value = momentOf(text)
      return value
        ? { value }
        : { problem: `expected an age such as 12h, 7d or 2w, or a date such as 2026-11-21` }
    }
  }
}

function numberOf({ unit }: Extract<QueryColumn, { type: 'number' }>, name: string, text: string): Read {
  if (unit === 'bytes') {
    const value = sizeOf(text)
    return value === undefined
      ? { problem: `expected a size such as ${name}>16GiB (KiB, MiB, GiB, TiB)` }
      : { value }
  }
  return /^\d{1,15}$/.test(text) ? { value: Number(text) } : { problem: `expected a number: ${name}>4` }
}

const namesOf = (columns: Columns): string => [...columns.keys()].join(', ')

/** True for a column whose values are compared. */
export const hasOrder = ({ type }: QueryColumn): boolean => type === 'number' || type === 'time'

function comparisonProblem(column: QueryColumn, name: string, by: string): string | undefined {
  if (by !== '' && !hasOrder(column)) return `${name} is not compared: write ${name}:value`
  return by === '' && column.type === 'time'
    ? `write ${name}<7d for the last 7 days, ${name}>7d for before`
    : undefined
}

/** Reads a filter, or says why a text is none. */
export function readFilter(columns: Columns, text: string): Filter | Trouble {
  const [, minus = '', name = '', by = '', value = ''] = form.exec(text) ?? []
  const whole = (message: string): Trouble => ({ message, start: 0, end: text.length })
  if (text.length > limits.filters.text)
    return whole(`a filter has at most ${limits.filters.text} characters`)
  if (name === '') return whole('expected a filter such as state:failed')
  const column = columns.get(name)
  const nameEnd = minus.length + name.length
  if (!column) {
    const message =
      columns.size === 0 ? 'this list has no filters' : `no column "${name}": there are ${namesOf(columns)}`
    return { message, start: minus.length, end: nameEnd }
  }
  const start = nameEnd + 1
  const problem = comparisonProblem(column, name, by)
  if (problem !== undefined) return { message: problem, start, end: text.length }
  const read = valueOf(column, name, value)
  if ('problem' in read) return { message: read.problem, start: start + by.length, end: text.length }
  return {
    name,
    column,
    isNot: minus !== '',
    by: comparisons.find((one) => one === by),
    text: value,
    value: read.value,
  }
}

/** The text of a filter: reading it gives the same filter. */
export const filterText = ({ name, isNot, by, text }: Omit<Filter, 'column' | 'value'>): string =>
  `${isNot ? '-' : ''}${name}:${by ?? ''}${text}`

/** The filter with the time of an age in its place, so that later requests mean the same moment. */
export function settledFilter(columns: Columns, text: string, now: number): string {
  const filter = readFilter(columns, text)
  if (isTrouble(filter) || typeof filter.value !== 'object' || 'at' in filter.value) return text
  const { by } = filter
  return filterText({
    ...filter,
    by: by && opposite[by],
    text: new Date(Math.max(0, now - filter.value.ago)).toISOString(),
  })
}

/** A smaller age is a later time. */
const opposite = { '>': '<', '<': '>', '>=': '<=', '<=': '>=' } as const satisfies Record<
  Comparison,
  Comparison
>

const compared: Record<Comparison, (a: number, b: number) => boolean> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
}

/** Whether a number fits a filter of numbers or times. */
export function isWithin({ by, value }: Filter, number: number, now: number): boolean {
  if (typeof value !== 'object') return by ? compared[by](number, Number(value)) : number === Number(value)
  if (!by) return false
  return 'at' in value ? compared[by](number, value.at) : compared[opposite[by]](number, now - value.ago)
}
