/**
 * The definition of a kind of resource. The folders next to this file have one file per kind; `rules/kinds.ts` is the
 * table.
 */

/** The scopes in which a kind is counted. */
export type Holder = 'silo' | 'project' | 'vpc' | 'vpcRouter' | 'internetGateway' | 'siloUser'
/** The limit in each scope, or the reason why none is needed. */
export type Most = Readonly<Partial<Record<Holder, number>>> | { readonly unlimited: string }

/** A column with few values. `field` is that of the row; a flag says whether the row has one, and a kind is named by its type. */
export type FilterColumn =
  | { readonly field: string; readonly values: readonly string[] }
  | { readonly field: string; readonly isKind: true; readonly values: readonly string[] }
  | { readonly field: string; readonly isFlag: true; readonly values: readonly ['true', 'false'] }

/** A column that rows can be ordered by, and compared by if it has numbers. */
export interface OrderColumn {
  readonly field: string
  readonly isNumber?: true
  /** An index has the order, so that lists of any length have it. */
  readonly isIndexed?: true
  /** The number is a time: rows are compared by it or by their age. */
  readonly isTime?: true
  /** A label for the number. Searches match it too. */
  readonly unit?: 'bytes' | 'vCPUs'
}

/**
 * A field whose former and new value the audit log shows to readers of an entry: never a secret, and nothing that those who
 * see the resource may not see.
 */
export interface RecordedField {
  /** The column of the row. */
  readonly field: string
  readonly unit?: 'bytes' | 'vCPUs'
  /** The column has the id of a resource of this kind: its name is shown. */
  readonly refersTo?: 'disk' | 'instance' | 'vpcRouter' | 'bgpAnnounceSet'
  /** The value is made of what is stored, such as a rule of times. */
  readonly form?: RecordedForm
  /** An entry says only that it changed. */
  readonly isHidden?: true
  /** A list as JSON: entries show what was added and removed. */
  readonly isList?: true
}
/** How the text of a value is made: `packages/core/audit/field-texts.ts`. */
export type RecordedForm = 'routeEnd' | 'times' | 'keep' | 'targets' | 'paused'

/** An action by state. In states that are not listed the server refuses it. */
export interface Action<State extends string = string> {
  /** States in which the console offers the action. */
  readonly offered: readonly State[]
  /** Further states in which the server carries it out. */
  readonly accepted?: readonly State[]
  /** States in which the server accepts the action without a change. */
  readonly unchanged?: readonly State[]
}
export type Actions<State extends string> = Readonly<Record<string, Action<State>>>

export interface Kind {
  /** The noun in texts. Its plural is regular: see `pluralOf`. */
  readonly noun: string
  /** The type of resource in the API's error messages: `not found: vpc-subnet with name "web"`. */
  readonly type: string
  /** The field that names one in paths and queries. */
  readonly field: string
  /** Its names are not unique in its parent: requests name it by id. */
  readonly isNamed?: false
  /** The kind that one belongs to. Names are unique among its siblings there. Null: one of the fleet. */
  readonly parent: string | null
  /** Where requests find a resource, if not in its parent: operators name a silo, for example. */
  readonly scope?: 'namedSilo'
  /** The default limits, unless quotas count the kind. Operators can change them. */
  readonly counts: Most
  /** `filter=state:running`, by the first word. */
  readonly filters?: Readonly<Record<string, FilterColumn>>
  /** `filter=image:ID`, by the first word: fields with the id of another resource. */
  readonly references?: Readonly<Record<string, { readonly field: string }>>
  /** Resources have tags, and lists are filtered by them: `filter=tag:env=prod`. */
  readonly isTagged?: true
  /** `sort_by=cpus_descending`, by the name of the column. Every list by name can be ordered by name and id. */
  readonly orders?: Readonly<Record<string, OrderColumn>>
  /** The fields whose changes the audit log shows, besides the name and that the description is another one. */
  readonly recorded?: Readonly<Record<string, RecordedField>>
  /** Rows are found by the search over all kinds: the operation that lists them, and the rank of the kind among results. */
  readonly search?: { readonly list: string; readonly rank: number }
  /** The console has a plain section for it, a list at the place of its scope with these forms: see `plainSections`. */
  readonly section?: readonly ('create' | 'edit' | 'clone')[]
  /** Other resources refer to it, and clients look up its names by id. */
  readonly isReferred?: true
  readonly states?: readonly string[]
  /** States on the way to another one. */
  readonly transitional?: readonly string[]
  readonly actions?: Actions<string>
  /** Actions of tasks: for each, the operation that runs for every item. Its permission, checks and texts apply. */
  readonly tasks?: Readonly<Record<string, string>>
}

/** Declares a kind, and keeps the literal types of its definition. */
// @__NO_SIDE_EFFECTS__
export const kind = <const K extends Kind>(definition: K): K => definition

/** The size of a machine, as entries of the audit log show it. */
export const recordedSize = {
  ncpus: { field: 'ncpus', unit: 'vCPUs' },
  memory: { field: 'memory', unit: 'bytes' },
} as const
/** The instance that something is attached to, as entries of the audit log show it. */
export const recordedInstance = { instance: { field: 'instanceId', refersTo: 'instance' } } as const
export const flag = (field: string) => ({ field, isFlag: true, values: ['true', 'false'] }) as const
/** Of kinds whose resources can be protected from deletion. */
export const byProtection = { protected: flag('isProtected') } as const
/** Their tasks that protect many, or remove the protection, by one operation. */
// @__NO_SIDE_EFFECTS__
export const protection = <const O extends string>(operation: O) => ({
  protect: operation,
  unprotect: operation,
})
export const bytes = (field: string) => ({ field, isNumber: true, unit: 'bytes' }) as const
/** Of users and groups: their display name is the one that people know. */
export const byDisplayName = { name: { field: 'displayName' } } as const
export const byTime = { time_created: { field: 'timeCreated', isNumber: true, isTime: true } } as const

/** Of kinds whose last use is recorded. */
export const byLastUse = { last_used: { field: 'timeLastUsed', isNumber: true, isTime: true } } as const

export const byOperators = { unlimited: 'only operators make them' } as const
