/** All steps of the schema in order, and the tables and columns that they make. Steps that have shipped are never edited. */
import type { Migration } from 'kysely/migration'
import type { Engine } from './engine.ts'
import { firstLight } from './migrations/0001-first-light.ts'
import { steps0002to0009 } from './migrations/0002-to-0009.ts'
import { steps0010to0019 } from './migrations/0010-to-0019.ts'
import { steps0020to0029 } from './migrations/0020-to-0029.ts'
import { steps0030to0039 } from './migrations/0030-to-0039.ts'
import { steps0040to0049 } from './migrations/0040-to-0049.ts'
import { steps0050to0059 } from './migrations/0050-to-0059.ts'
import { steps0060to0069 } from './migrations/0060-to-0069.ts'
import { steps0070to0079 } from './migrations/0070-to-0079.ts'
import { steps0080to0089 } from './migrations/0080-to-0089.ts'
import { steps0090to0099 } from './migrations/0090-to-0099.ts'
import { apply, type Kind, type Step } from './migrations/step.ts'
import type { TableName, Tables } from './tables.ts'

const steps = [
  ...firstLight,
  ...steps0002to0009,
  ...steps0010to0019,
  ...steps0020to0029,
  ...steps0030to0039,
  ...steps0040to0049,
  ...steps0050to0059,
  ...steps0060to0069,
  ...steps0070to0079,
  ...steps0080to0089,
  ...steps0090to0099,
] as const

type Steps = (typeof steps)[number]
/** The columns that the steps give table `T`, with their kinds. */
type Made<T extends TableName, S = Steps> =
  | (S extends { tables: { [N in T]: { columns: infer C } } } ? C : never)
  | (S extends { columns: { [N in T]: { columns: infer C } } } ? C : never)
type Values = { t: string; i: number | bigint; b: Uint8Array; 't?': string | null; 'i?': number | null }
type KindOf<C, Key> = C extends unknown ? (Key extends keyof C ? C[Key] & Kind : never) : never
/** Columns of a table that no step makes, or not of their type. */
type Forgotten<T extends TableName> = {
  [C in keyof Tables[T] & string]: [Tables[T][C]] extends [Values[KindOf<Made<T>, C>]] ? never : `${T}.${C}`
}[keyof Tables[T] & string]
type AllForgotten = { [T in TableName]: Forgotten<T> }[TableName]

/** All steps. It does not compile while a column of `Tables` is made by none. */
const allSteps: readonly Step[] = steps satisfies [AllForgotten] extends [never]
  ? unknown
  : `no step makes ${AllForgotten}`

/** True if this version knows a step of the schema, by its name. */
export const isKnownStep = (name: string): boolean => allSteps.some((step) => step.name === name)

/** The names of all tables. */
export const tables = allSteps.flatMap((step) => Object.keys(step.tables ?? {})) as TableName[]

/** The columns of all tables, as `table.column`. */
export const columns: readonly string[] = allSteps.flatMap(({ tables: made, columns: added }) =>
  [...Object.entries(made ?? {}), ...Object.entries(added ?? {})].flatMap(([table, spec]) =>
    Object.keys(spec.columns).map((column) => `${table}.${column}`),
  ),
)

/** Steps by name, in the order of their names, as the migrator takes them; `now` is when they are applied. */
export const migrationsFor = (
  engine: Engine['name'],
  now: number,
  some: readonly Step[] = allSteps,
): Record<string, Migration> =>
  Object.fromEntries(some.map((step) => [step.name, { up: (db) => apply(db, engine, { ...step, now }) }]))
