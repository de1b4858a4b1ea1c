/** The changes that make a server as a document says, in an order in which they can be made. */
import { isDeepStrictEqual } from 'node:util'
import { jsonText } from '@purlin/contract/wire'
import { CliError } from '../errors.ts'
import type { Row } from '../http/api.ts'
import { topParts } from './document.ts'
import {
  isField,
  isSetting,
  labelOf,
  ownParts,
  type At,
  type RowChange,
  type Section,
  type Setting,
  type Source,
} from './section.ts'

export interface Change {
  /** `refuse` is a difference that no request can remove. */
  kind: 'create' | 'update' | 'delete' | 'refuse'
  text: string
  make: () => Promise<unknown>
  /** A deletion that other changes may need: the disk or the address is attached elsewhere afterwards. */
  isFirst?: boolean
}

interface Place {
  source: Source
  at: At
  /** The names of the resources around it. */
  path: string
}

/**
 * The changes but deletions, parents first. The caller may make each one before it asks for the next: a place is read
 * when its changes come up, so that it has what the server creates by itself.
 */
export async function* changesTo(source: Source, document: Row): AsyncGenerator<Change> {
  for (const part of topParts) yield* changesOf(part, document, { source, at: {}, path: '' })
}

/** The changes for a part of a body, or of the document. */
async function* changesOf(part: Section | Setting, around: Row, place: Place): AsyncGenerator<Change> {
  if (around[part.key] === undefined) return
  if (isSetting(part)) return yield* changesOfSetting(part, around[part.key], place)
  const rows = await rowsIn(part, place)
  const actual = new Map(rows.map((row) => [labelOf(row), row]))
  for (const body of bodiesIn(part, around, rows)) {
    const own = Object.fromEntries(Object.entries(body).filter(([key]) => part.fields.includes(key)))
    const found = actual.get(labelOf(body))
    const [fields, others] = [part.parts.filter(isField), part.parts.filter((one) => !isField(one))]
    // A disk must be attached before it becomes the boot disk.
    if (found) for (const inner of fields) yield* changesOf(inner, body, within(part, body, place))
    if (found) yield* differences(part, { own, found }, place)
    else yield await creation(part, own, place)
    for (const inner of others) yield* changesOf(inner, body, within(part, body, place))
  }
}

/** The rows of a part as a body has them. */
function bodiesIn(part: Section, around: Row, present: readonly Row[]): readonly Row[] {
  if (part.field) return part.field.rowsOf(around, present)
  const bodies = around[part.key] as Row[]
  return part.again?.(bodies) ?? bodies
}

/** The change, or a refusal that says why it cannot be made now. */
async function possible(
  part: Section,
  { change, ...row }: RowChange & { change: Change },
  { source, at }: Place,
): Promise<Change> {
  const why = await part.obstacle?.(source, at, row)
  return why === undefined ? change : refusal(`${change.text}  ${why}`)
}

const refusal = (text: string): Change => ({ kind: 'refuse', text, make: () => Promise.resolve() })

function creation(part: Section, body: Row, place: Place): Promise<Change> {
  const make = () => part.create(place.source.api, place.at, body)
  const change: Change = { kind: 'create', text: textOf(part, body, place), make }
  return possible(part, { verb: 'create', body, change }, place)
}

const within = (part: Section, body: Row, { source, at, path }: Place): Place => ({
  source,
  at: { ...at, [part.parentKey]: labelOf(body) },
  path: path === '' ? labelOf(body) : `${path}/${labelOf(body)}`,
})

const textOf = ({ noun }: Section | Setting, body: Row | null, { path }: Place): string =>
  [noun, [path, ...(body ? [labelOf(body)] : [])].filter(Boolean).join('/')].filter(Boolean).join(' ')

/** The rows of a place; none if it does not exist yet. */
async function rowsIn(part: Section, { source, at }: Place): Promise<Row[]> {
  return (await orAbsent(() => part.list(source, at))) ?? []
}

async function orAbsent<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof CliError && error.kind === 'notFound') return undefined
    throw error
  }
}

async function* changesOfSetting(part: Setting, wanted: unknown, place: Place): AsyncGenerator<Change> {
  const { source, at } = place
  const stored = async (value: unknown) => (part.toStored ? part.toStored(source, at, value) : value)
  const found = await orAbsent(() => part.read(source, at))
  if (found !== undefined && isSame(await stored(found), await stored(wanted))) return
  const make = async () => part.write(source.api, at, await stored(wanted))
  yield { kind: 'update', text: textOf(part, null, place), make }
}

/** The fields that a document does not mention stay as they are. */
async function* differences(
  part: Section,
  { own: given, found }: { own: Row; found: Row },
  place: Place,
): AsyncGenerator<Change> {
  const own = part.completed?.(given, found) ?? given
  const apart = [...(part.initial ?? []), ...part.parts.filter(isField).map(({ key }) => key)]
  const keys = Object.keys(own).filter((key) => !apart.includes(key) && !isSame(own[key], found[key]))
  const fixed = keys.filter((key) => !part.changeable.includes(key))
  const words = (some: readonly string[]) =>
    some.map((key) => `${key}: ${short(found[key])} → ${short(own[key])}`).join(', ')
  if (fixed.length > 0) yield refusal(`${textOf(part, own, place)}  ${words(fixed)} cannot be changed`)
  else if (keys.length > 0) {
    const body = { ...found, ...own }
    const make = () => part.update(place.source.api, place.at, body)
    const change: Change = { kind: 'update', text: `${textOf(part, own, place)}  ${words(keys)}`, make }
    yield await possible(part, { verb: 'update', body, keys, change }, place)
  }
}

/** Null, false, absent and the empty list are the same, lists have no order, and a disk is the same whether created or attached. */
const isSame = (one: unknown, two: unknown): boolean => isDeepStrictEqual(plainOf(one), plainOf(two))

function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(plainOf)
    return items.length === 0 ? null : items.toSorted((a, b) => (jsonText(a) < jsonText(b) ? -1 : 1))
  }
  if (typeof value !== 'object' || value === null) return value === false ? null : (value ?? null)
  const { type, name } = value as Row
  if (name !== undefined && (type === 'create' || type === 'attach')) return name
  const entries = Object.entries(value).map(([key, inner]) => [key, plainOf(inner)] as const)
  const present = entries.filter(([, inner]) => inner !== null).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(present)
}

const most = 60
function short(value: unknown): string {
  const text = value === undefined ? 'none' : jsonText(value)
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}

/**
 * The deletions of what a document does not have, the innermost first. Only lists that it has are looked at, inside of
 * resources that it has: projects, silos and pools themselves stay, because most documents are about one of them.
 */
export async function deletionsFor(source: Source, document: Row): Promise<Change[]> {
  const found: Change[] = []
  for (const part of topParts) await collect(part, document, { place: { source, at: {}, path: '' }, found })
  return found
}

interface Collecting {
  place: Place
  found: Change[]
}

/** `around` is undefined for a resource that goes: everything inside goes too. */
async function collect(
  part: Section | Setting,
  around: Row | undefined,
  { place, found }: Collecting,
): Promise<void> {
  if (isSetting(part) || (around ? around[part.key] === undefined : part.field)) return
  // The first interface of an instance is its primary one, which goes last.
  const present = await rowsIn(part, place)
  const rows = part.field ? present.toReversed() : present
  const bodies = new Map(around ? bodiesIn(part, around, rows).map((body) => [labelOf(body), body]) : [])
  for (const row of rows) {
    const body = bodies.get(labelOf(row))
    if (!body && place.path === '') continue
    // Later parts need earlier ones, so they go first.
    for (const inner of ownParts(part.parts).toReversed())
      await collect(inner, body, { place: within(part, row, place), found })
    if (!body) found.push(await deletion(part, row, place))
  }
}

async function deletion(part: Section, body: Row, place: Place): Promise<Change> {
  const text = textOf(part, body, place)
  if (body['protected'] === true)
    return refusal(`${text}  is protected from deletion: apply protected: false first`)
  const make = () => part.remove(place.source.api, place.at, body)
  const isFirst = part.field !== undefined && body['is_boot'] !== true
  return possible(part, { verb: 'delete', body, change: { kind: 'delete', text, make, isFirst } }, place)
}
