/** The filters of an address of the log as words, and the filters that words mean. */
import { isOneOf, keysOf } from '@purlin/contract/rules/keys'
import { isUuid } from '@purlin/contract/rules/names'
import { parseIp } from '@purlin/contract/rules/network/ip'
import { columnsOf } from '@purlin/contract/rules/query/columns'
import { filterText, isTrouble, readFilter, type Filter } from '@purlin/contract/rules/query/filter'
import { joinFilters, splitFilters } from '@purlin/contract/rules/query/query'
import { results, spans, type AuditFilters, type Span } from './search.ts'

/** The filters that have a field: a word of the same name with one value means it. */
const fields = ['operation', 'actor', 'kind', 'object', 'address', 'agent', 'result'] as const
type Field = (typeof fields)[number]

/** The words of the filters. */
export const wordsOf = (filters: AuditFilters): string[] => [
  ...(filters.last === undefined || filters.last === 'all' ? [] : [`time:<${filters.last}`]),
  ...fields.flatMap((name) => {
    const text = filters[name]
    return text === undefined ? [] : [filterText({ name, isNot: false, by: undefined, text })]
  }),
  ...splitFilters(filters.filter ?? ''),
]

/** Whether the field of a name takes a text. */
function fits(name: Field, text: string): boolean {
  if (name === 'actor') return isUuid(text)
  if (name === 'address') return parseIp(text) !== undefined
  return name !== 'result' || isOneOf(results, text)
}

/** The filters that words mean, with those of an address that have no words. */
export function filtersIn(
  words: readonly string[],
  { from, to, silo, last }: AuditFilters,
  list: 'auditLog' | 'activity',
): AuditFilters {
  const columns = columnsOf(list)
  const read = words.map((one) => readFilter(columns, one)).filter((one): one is Filter => !isTrouble(one))
  const isAlone = ({ name }: Filter) => read.filter((one) => one.name === name && !one.isNot).length === 1
  const rest: string[] = []
  let span: Span | undefined = last === 'all' ? last : undefined
  let found: Pick<AuditFilters, Field> = {}
  for (const filter of read) {
    const { name, text, isNot, by } = filter
    const known = keysOf(spans).find((one) => one === text && one !== 'all')
    if (name === 'time' && known && by === '<' && !isNot && isAlone(filter)) span = known
    else if (isOneOf(fields, name) && !isNot && isAlone(filter) && fits(name, text))
      found = { ...found, [name]: text }
    else rest.push(filterText(filter))
  }
  const times = { ...(from && { from }), ...(to && { to }), ...(span && { last: span }) }
  return {
    ...(read.some(({ name }) => name === 'time') ? { ...(span && { last: span }) } : times),
    ...(silo === undefined ? {} : { silo }),
    ...found,
    ...(rest.length === 0 ? {} : { filter: joinFilters(rest) }),
  }
}
