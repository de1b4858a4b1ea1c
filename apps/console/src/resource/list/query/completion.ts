/** Words that can be meant by what is typed into the search of a list. */
import type { Columns, QueryColumn } from '@purlin/contract/rules/query/columns'
import { hasOrder } from '@purlin/contract/rules/query/filter'
import { queryText, wordsIn } from '@purlin/contract/rules/query/query'

/** Options for the word at the caret, which each of them replaces. */
export interface Completion {
  start: number
  end: number
  options: readonly string[]
}

const none: Completion = { start: 0, end: 0, options: [] }
const most = 12
/** Letters of a column that are typed before it is offered: fewer begin too many words. */
const least = 2

/** Values that columns do not list. */
interface Known {
  /** The tags in use that begin as the one that is typed. */
  pairs: readonly string[]
  /** By the field of a column. */
  values?: Readonly<Record<string, readonly string[]>> | undefined
}

/** Values that people compare with. */
function commonValues(column: QueryColumn, { pairs, values }: Known): readonly string[] {
  switch (column.type) {
    case 'choice':
      return column.filter.values
    case 'time':
      return ['1h', '24h', '7d', '4w']
    case 'number':
      return column.unit === 'bytes'
        ? ['1GiB', '4GiB', '16GiB', '64GiB', '256GiB', '1TiB']
        : ['1', '2', '4', '8', '16']
    case 'pair':
      return pairs
    case 'exact':
      return values?.[column.field] ?? []
    case 'id':
    case 'text':
      return []
  }
}

/** Without a quote at its beginning. */
const bareText = (text: string): string => text.toLowerCase().replace(/^"/, '')

/** A tag in use as it is typed after `tag:`: a key goes on with its value. */
export const typedPair = ({ key, value }: { key: string; value?: string | undefined }): string =>
  value === undefined
    ? `${key}=`
    : queryText(new Map(), { find: '', filters: [`tag:${key}=${value}`] }).slice('tag:'.length)

const beginnings = (name: string, column: QueryColumn): string[] =>
  hasOrder(column) ? [`${name}>`, `${name}<`] : [`${name}:`]

const written = /^(-?)([a-z_]+)(:|>=|<=|>|<)(.*)$/i

/** The options for a word. */
function optionsFor(columns: Columns, text: string, known: Known): string[] {
  const [, minus = '', name = '', by = '', value = ''] = written.exec(text) ?? []
  const column = columns.get(name.toLowerCase())
  if (column) {
    return commonValues(column, known)
      .filter((one) => one !== value && bareText(one).startsWith(bareText(value)))
      .map((one) => `${minus}${name}${by}${one}`)
  }
  const bare = text.replace(/^-/, '').toLowerCase()
  const negation = text.startsWith('-') ? '-' : ''
  return [...columns]
    .filter(([one]) => one.startsWith(bare))
    .flatMap(([one, each]) => beginnings(one, each).map((beginning) => `${negation}${beginning}`))
}

/** A text and the caret in it. `isAsked`: options are also given where nothing is typed yet. */
interface Place {
  text: string
  caret: number
  isAsked: boolean
}

/** The pair that is typed at the caret: the value of a key, or a key. Undefined where none is. */
export function pairAt(
  columns: Columns,
  { text, caret }: Omit<Place, 'isAsked'>,
): { key?: string; prefix: string } | undefined {
  const word = wordAt(text, caret)
  if (!word || word.end !== caret || word.isQuoted) return undefined
  const [, , name = '', , pair = ''] = written.exec(word.text) ?? []
  if (columns.get(name.toLowerCase())?.type !== 'pair') return undefined
  const at = pair.indexOf('=')
  return at < 0 ? { prefix: pair } : { key: pair.slice(0, at), prefix: pair.slice(at + 1) }
}

const wordAt = (text: string, caret: number) =>
  wordsIn(text).find(({ start, end }) => start <= caret && caret <= end)

/** The options at the caret. */
export function completionAt(
  columns: Columns,
  { text, caret, isAsked }: Place,
  known: Known = { pairs: [] },
): Completion {
  const word = wordAt(text, caret)
  const { start, end } = word ?? { start: caret, end: caret }
  const isEnough = isAsked || (word !== undefined && word.text.length >= least)
  if (caret !== end || word?.isQuoted || !isEnough) return none
  const options = optionsFor(columns, text.slice(start, end), known).slice(0, most)
  return { start, end, options }
}

/** The text with an option in place of its word, and the caret behind it: a whole word is followed by a space. */
export function completed(text: string, { start, end }: Completion, option: string) {
  const isWhole = !/[:<>=]$/.test(option)
  const rest = text.slice(end)
  const inserted = isWhole && !rest.startsWith(' ') ? `${option} ` : option
  return { text: `${text.slice(0, start)}${inserted}${rest}`, caret: start + inserted.length }
}
