/** The parts of a document: lists of resources by name, and settings, each read and written by operations. */
import {
  documentPart,
  nameKey,
  type DocumentKind,
  type DocumentPart,
} from '@purlin/contract/commands/documents'
import type { OperationName } from '@purlin/contract/operations'
import { kindOf } from '@purlin/contract/rules/kinds'
import type { Api, Row } from '../http/api.ts'
import { plainText } from '../output/json.ts'

/** The names of the resources around one, by the query fields that give them. */
export type At = Readonly<Record<string, string>>

/** A server, and what was read of it. */
export interface Source {
  api: Api
  /** The name for an id, which is read once. */
  nameOf: (view: OperationName, key: string, id: unknown) => Promise<string | null>
}

/** Resources of one kind in a place. Bodies are those of their creation. */
export interface Section extends DocumentPart {
  noun: string
  /** The query field by which its children name one. */
  parentKey: string
  /** It is about resources of an earlier section with the same key: the bodies that it is about, as it has them. */
  again?: (bodies: readonly Row[]) => readonly Row[]
  /** It is a field of the resource around it, which is created with its rows. Later they change one by one. */
  field?: FieldRows
  list: (source: Source, at: At) => Promise<Row[]>
  /** Why a change cannot be made now; undefined if it can. */
  obstacle?: (source: Source, at: At, change: RowChange) => Promise<string | undefined>
  create: (api: Api, at: At, body: Row) => Promise<unknown>
  update: (api: Api, at: At, body: Row) => Promise<unknown>
  remove: (api: Api, at: At, body: Row) => Promise<unknown>
  /** A body with what its fields leave to the server, as it is in the resource that exists. */
  completed?: (body: Row, present: Row) => Row
  /** In the order in which they are created. */
  parts: readonly (Section | Setting)[]
}

/** The rows of a field, in the words of a creation. */
export interface FieldRows {
  /** The rows that a body says. `present` are the rows that exist. Throws CliError for a field of another form. */
  rowsOf: (body: Row, present: readonly Row[]) => readonly Row[]
  valueOf: (rows: readonly Row[]) => unknown
}

/** A change of a row. `keys` are the fields that an update changes. */
export interface RowChange {
  verb: 'create' | 'update' | 'delete'
  body: Row
  keys?: readonly string[]
}

/** A value of which there is one in its place. */
export interface Setting {
  key: string
  noun: string
  read: (source: Source, at: At) => Promise<unknown>
  /** A value of a document as it is stored: with ids for names. Throws CliError for a name that leads to none. */
  toStored?: (source: Source, at: At, value: unknown) => Promise<unknown>
  write: (api: Api, at: At, value: unknown) => Promise<unknown>
}

/** The parts that resources are exported with and deleted from. */
export const ownParts = (parts: Section['parts']): Section['parts'] =>
  parts.filter((part) => isSetting(part) || !part.again)

export const isSetting = (part: Section | Setting): part is Setting => 'write' in part

export const isField = (part: Section | Setting): boolean => !isSetting(part) && part.field !== undefined

/** The name of a body in messages and comparisons: ranges and links have no name. */
export const labelOf = (body: Row): string =>
  plainText(body['name'] ?? body['silo'] ?? `${plainText(body['first'])}-${plainText(body['last'])}`)

interface Plain {
  /** That of the kind unless given. */
  noun?: string
  /** The rows that a document has; all unless given. */
  isKept?: (row: Row) => boolean
  /** Fields that the view has in other words. */
  read?: (row: Row, source: Source, at: At) => Promise<Row> | Row
  /** The body of an update: the changeable fields that are given, unless this says otherwise. */
  bodyOf?: (row: Row) => Row
  /** Further fields of a creation. */
  more?: Row
  obstacle?: Section['obstacle']
  completed?: NonNullable<Section['completed']>
  parts?: Section['parts']
}

/** The fields of a row that a document has. Null and absent are the same. */
const picked = (fields: readonly string[], row: Row): Row =>
  Object.fromEntries(
    fields.flatMap((key) => (row[key] === undefined || row[key] === null ? [] : [[key, row[key]]])),
  )

/** A section of a kind whose operations are plain: List, Create, Update and Delete. */
export function plain(
  kind: DocumentKind,
  {
    noun = kindOf(kind).noun,
    isKept = () => true,
    read,
    bodyOf,
    obstacle,
    completed,
    more = {},
    parts = [],
  }: Plain = {},
): Section {
  const op = (verb: string) => `${kind}${verb}` as OperationName
  const part = documentPart(kind)
  const parentKey = nameKey(kind)
  const update: Section['update'] = (api, at, body) =>
    api.call(op('Update'), {
      params: named(parentKey, body),
      query: at,
      body: bodyOf?.(body) ?? picked(part.changeable, body),
    })
  return {
    ...part,
    ...(obstacle ? { obstacle } : {}),
    ...(completed ? { completed } : {}),
    noun,
    parentKey,
    parts,
    async list(source, at) {
      const rows = (await source.api.all(op('List'), { query: at })).filter(isKept)
      const bodies: Row[] = []
      for (const row of rows) bodies.push(picked(part.fields, { ...row, ...(await read?.(row, source, at)) }))
      return bodies
    },
    async create(api, at, body) {
      await api.call(op('Create'), { query: at, body: { ...more, ...body } })
    },
    update,
    remove: (api, at, body) => api.call(op('Delete'), { params: named(parentKey, body), query: at }),
  }
}

const named = (key: string, { name }: Row): Row => ({ [key]: name })

/** The path parameter of a setting of a resource. */
export const paramsOf = (key: string | null, at: At): Row => (key === null ? {} : { [key]: at[key] })
