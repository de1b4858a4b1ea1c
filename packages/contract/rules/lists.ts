/** What lists offer besides pages by name: the columns that they can be ordered by, and those with few values to filter by. */
import type { KindName } from './kinds.ts'
import { diskStates, instanceStates, snapshotStates } from './states.ts'

/** A column with few values. `field` is that of the row; a flag says whether the row has one. */
export type FilterColumn =
  | { readonly field: string; readonly values: readonly string[] }
  | { readonly field: string; readonly isFlag: true; readonly values: readonly ['true', 'false'] }

/** A column that rows can be ordered by. */
export interface OrderColumn {
  readonly field: string
  readonly isNumber?: true
  /** What the number is shown with, by which rows are found as well. */
  readonly unit?: 'bytes' | 'vCPUs'
}

interface ListRules {
  /** `filter=state:running`, by the first word. */
  readonly filters: Readonly<Record<string, FilterColumn>>
  /** `sort_by=cpus_descending`, by the name of the column. */
  readonly orders: Readonly<Record<string, OrderColumn>>
}

const flag = (field: string) => ({ field, isFlag: true, values: ['true', 'false'] }) as const
const bytes = (field: string) => ({ field, isNumber: true, unit: 'bytes' }) as const
const byTime = { time_created: { field: 'timeCreated', isNumber: true } } as const

/** By kind. Any other kind can be ordered by its names and ids alone. */
const listRules = {
  instance: {
    filters: { state: { field: 'runState', values: instanceStates } },
    orders: {
      ...byTime,
      state: { field: 'runState' },
      cpus: { field: 'ncpus', isNumber: true, unit: 'vCPUs' },
      memory: bytes('memory'),
    },
  },
  disk: {
    filters: { state: { field: 'state', values: diskStates } },
    orders: { ...byTime, state: { field: 'state' }, size: bytes('size') },
  },
  snapshot: {
    filters: { state: { field: 'state', values: snapshotStates } },
    orders: { ...byTime, state: { field: 'state' }, size: bytes('size') },
  },
  image: { filters: {}, orders: { ...byTime, size: bytes('size') } },
  floatingIp: {
    filters: { attached: flag('instanceId') },
    orders: { ...byTime, ip: { field: 'ipKey' } },
  },
  project: { filters: {}, orders: byTime },
  vpc: { filters: {}, orders: byTime },
  vpcSubnet: { filters: {}, orders: byTime },
  vpcRouter: {
    filters: { kind: { field: 'kind', values: ['system', 'custom'] } },
    orders: byTime,
  },
  internetGateway: { filters: {}, orders: byTime },
  silo: { filters: {}, orders: byTime },
  ipPool: { filters: {}, orders: byTime },
} as const satisfies Partial<Record<KindName, ListRules>>

/** The rules of a kind, of whatever kind. */
export const rulesOf = (kind: string): ListRules =>
  (listRules as Partial<Record<string, ListRules>>)[kind] ?? { filters: {}, orders: {} }

/** The orders that every list by name has. */
const nameSorts = ['name_ascending', 'name_descending', 'id_ascending'] as const

/** Every `sort_by` of a kind's list. */
export const sortsOf = (kind: string): string[] => [
  ...nameSorts,
  ...Object.keys(rulesOf(kind).orders).flatMap((column) => [`${column}_ascending`, `${column}_descending`]),
]

/** Every `filter` of a kind's list: `state:running`. */
export const filtersOf = (kind: string): string[] =>
  Object.entries(rulesOf(kind).filters).flatMap(([column, { values }]) =>
    values.map((value) => `${column}:${value}`),
  )

/** The kinds that are searched all at once. The rows of the others are found in their own lists. */
export const searchedKinds = [
  'project',
  'instance',
  'disk',
  'image',
  'snapshot',
  'vpc',
  'vpcSubnet',
  'vpcRouter',
  'internetGateway',
  'floatingIp',
  'antiAffinityGroup',
  'affinityGroup',
  'sshKey',
  'siloUser',
  'siloGroup',
  'silo',
  'ipPool',
] as const satisfies readonly KindName[]
export type SearchedKind = (typeof searchedKinds)[number]

/** The kinds that others refer to, whose names are asked for by ids. */
export const namedKinds = [
  'project',
  'instance',
  'disk',
  'image',
  'snapshot',
  'vpc',
  'vpcSubnet',
  'vpcRouter',
  'internetGateway',
  'silo',
] as const satisfies readonly SearchedKind[]
export type NamedKind = (typeof namedKinds)[number]
