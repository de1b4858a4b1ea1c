/** The columns that rows of a list can be restricted by, from the tables of the kinds. */
import type { FilterColumn, OrderColumn } from '#/kinds/kind.ts'
import { auditResults } from '../audit/results.ts'
import { hasNames, kindNames } from '../kinds.ts'
import { isOneOf } from '../keys.ts'
import { hasTags, rulesOf } from '../lists.ts'
import { taskActionNames, taskStates, taskTypes } from '../tasks.ts'

export type QueryColumn =
  /** One of few values. */
  | { readonly type: 'choice'; readonly filter: FilterColumn }
  /** Pairs of a key and a value, written `key=value`. */
  | { readonly type: 'pair'; readonly field: string }
  | { readonly type: 'number'; readonly field: string; readonly unit?: OrderColumn['unit'] }
  | { readonly type: 'time'; readonly field: string }
  /** Words that a text has. */
  | { readonly type: 'text'; readonly field: string }
  /** A whole text, of which there are many. */
  | { readonly type: 'exact'; readonly field: string }
  /** The id of another resource. */
  | { readonly type: 'id'; readonly field: string }

export type Columns = ReadonlyMap<string, QueryColumn>

/** The order `time_created` is the column `created`. */
const wordOf = (order: string): string => order.replace(/^time_/, '')

function orderColumns(name: string, { field, isNumber, isTime, unit }: OrderColumn): [string, QueryColumn][] {
  if (isTime) return [[wordOf(name), { type: 'time', field }]]
  return isNumber ? [[wordOf(name), { type: 'number', field, ...(unit ? { unit } : {}) }]] : []
}

const choice = (field: string, values: readonly string[]): QueryColumn => ({
  type: 'choice',
  filter: { field, values },
})
const exact = (field: string): QueryColumn => ({ type: 'exact', field })

/** The columns of the activity of a resource, which has less of each entry than the audit log. */
const ofActivity = {
  time: { type: 'time', field: 'seq' },
  operation: exact('operation'),
  actor: exact('actor'),
  result: choice('result', auditResults),
  status: { type: 'number', field: 'status' },
  kind: exact('kind'),
} as const satisfies Readonly<Record<string, QueryColumn>>

/** Lists whose rows are of no kind. */
const otherLists: Readonly<Record<string, Columns>> = {
  task: new Map(
    Object.entries<QueryColumn>({
      state: choice('state', taskStates),
      action: choice('action', taskActionNames),
      kind: { type: 'choice', filter: { field: 'kind', isKind: true, values: taskTypes } },
      created: { type: 'time', field: 'at' },
      ended: { type: 'time', field: 'timeEnded' },
      items: { type: 'number', field: 'total' },
    }),
  ),
  activity: new Map(Object.entries<QueryColumn>(ofActivity)),
  auditLog: new Map(
    Object.entries<QueryColumn>({
      ...ofActivity,
      object: exact('object'),
      project: exact('project'),
      address: exact('address'),
      agent: exact('agent'),
    }),
  ),
}

/** The column with the name that people know. */
function nameField(kind: string): string | undefined {
  if (!isOneOf(kindNames, kind)) return undefined
  return hasNames(kind) ? 'name' : rulesOf(kind).orders['name']?.field
}

function build(kind: string): Columns {
  const { filters, orders, references } = rulesOf(kind)
  const field = nameField(kind)
  const name: [string, QueryColumn][] = field === undefined ? [] : [['name', { type: 'text', field }]]
  const tag: [string, QueryColumn][] = hasTags(kind) ? [['tag', { type: 'pair', field: 'tagsJson' }]] : []
  return new Map([
    ...Object.entries(filters).map(([word, filter]): [string, QueryColumn] => [
      word,
      { type: 'choice', filter },
    ]),
    ...Object.entries(orders).flatMap(([order, column]) => orderColumns(order, column)),
    ...Object.entries(references).map(([word, { field: of }]): [string, QueryColumn] => [
      word,
      { type: 'id', field: of },
    ]),
    ...name,
    ...tag,
  ])
}

const built = new Map<string, Columns>()

/** The columns of the list of a kind, of tasks or of the audit log; none for anything else. */
export function columnsOf(kind: string): Columns {
  const known = built.get(kind) ?? otherLists[kind]
  if (known) return known
  const columns = build(kind)
  if (isOneOf(kindNames, kind)) built.set(kind, columns)
  return columns
}

/** Every `filter` of a list that names one of few values: `state:running`. */
export const choicesOf = (kind: string): string[] =>
  [...columnsOf(kind)].flatMap(([name, column]) =>
    column.type === 'choice' ? column.filter.values.map((value) => `${name}:${value}`) : [],
  )
