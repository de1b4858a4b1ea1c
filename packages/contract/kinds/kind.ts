/** What a kind of resource is, said once: a file each in the folders beside this one, and `rules/kinds.ts` is their table. */

/** What a kind is counted in. */
export type Holder = 'silo' | 'project' | 'vpc' | 'vpcRouter' | 'internetGateway' | 'siloUser'
/** The most in each of what holds a kind, or why no limit is needed. */
export type Most = Readonly<Partial<Record<Holder, number>>> | { readonly unlimited: string }

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

/** An action by state. In states that are not listed the server refuses it. */
export interface Action<State extends string = string> {
  /** States in which the console offers the action. */
  readonly offered: readonly State[]
  /** Further states in which the server carries it out. */
  readonly accepted?: readonly State[]
  /** States in which the server accepts it and changes nothing. */
  readonly unchanged?: readonly State[]
}
export type Actions<State extends string> = Readonly<Record<string, Action<State>>>

export interface Kind {
  /** What texts call one. Its plural is regular: see `pluralOf`. */
  readonly noun: string
  /** The type of resource in the API's error messages: `not found: vpc-subnet with name "web"`. */
  readonly type: string
  /** The field that names one in paths and queries. */
  readonly field: string
  /** It has no name that is unique in what it belongs to: requests name it by its id. */
  readonly isNamed?: false
  /** The kind that one belongs to. Names are unique among its siblings there. Null: one of the fleet. */
  readonly parent: string | null
  /** Where requests find one, if not in what it belongs to: in a silo that they name, as operators do. */
  readonly scope?: 'namedSilo'
  /** No page is about one, and no list shows it where a link could lead. */
  readonly hasPage?: false
  /** How many there may be, as far as quotas do not count them, unless an operator sets others. */
  readonly counts: Most
  /** `filter=state:running`, by the first word. */
  readonly filters?: Readonly<Record<string, FilterColumn>>
  /** `sort_by=cpus_descending`, by the name of the column. Every list by name can be ordered by name and id. */
  readonly orders?: Readonly<Record<string, OrderColumn>>
  /** Rows are found by the search over all kinds: the operation that lists them, and the rank of the kind among results. */
  readonly search?: { readonly list: string; readonly rank: number }
  /** Others refer to it, and its names are asked for by ids. */
  readonly isReferred?: true
  readonly states?: readonly string[]
  /** States on the way to another one. */
  readonly transitional?: readonly string[]
  readonly actions?: Actions<string>
  /** What tasks do to many: by action the operation that is run for each. Its permission, checks and texts are those of the task. */
  readonly tasks?: Readonly<Record<string, string>>
}

/** Declares a kind, and keeps the literal types of its definition. */
// @__NO_SIDE_EFFECTS__
export const kind = <const K extends Kind>(definition: K): K => definition

export const flag = (field: string) => ({ field, isFlag: true, values: ['true', 'false'] }) as const
export const bytes = (field: string) => ({ field, isNumber: true, unit: 'bytes' }) as const
export const byTime = { time_created: { field: 'timeCreated', isNumber: true } } as const

export const byOperators = { unlimited: 'only operators make them' } as const
