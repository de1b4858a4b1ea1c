/**
 * The keys of tables written in code. TypeScript gives `Object.keys` and its like only strings, because an object may
 * have more keys than its type: use these for objects that have exactly theirs.
 */

/** `Object.keys`, by the type of the table. */
// @__NO_SIDE_EFFECTS__
export const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[]

/** A table with a value for each key. */
// @__NO_SIDE_EFFECTS__
export const recordOf = <K extends string, V>(keys: readonly K[], valueOf: (key: K) => V) =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<K, V>

/** Whether a value is one of a list, whose type it then has. */
export function isOneOf<const T>(list: readonly T[], value: unknown): value is T {
  const all: readonly unknown[] = list
  return all.includes(value)
}
