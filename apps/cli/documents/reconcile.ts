/** The changes that make a server as a document says, in an order in which they can be made. */
import { isDeepStrictEqual } from 'node:util'
import { jsonText } from '@purlin/contract/wire'
import { CliError } from '../errors.ts'
import type { Row } from '../http/api.ts'
import { topParts } from './document.ts'
import { isSetting, labelOf, ownParts, type At, type Section, type Setting, type Source } from './section.ts'

export interface Change {
  /** `refuse` is a difference that no request can remove. */
  kind: 'create' | 'update' | 'delete' | 'refuse'
  text: string
  make: () => Promise<unknown>
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
  for (const part of topParts)
    if (document[part.key] !== undefined)
      yield* changesOf(part, document[part.key], { source, at: {}, path: '' })
}

async function* changesOf(part: Section | Setting, wanted: unknown, place: Place): AsyncGenerator<Change> {
  if (isSetting(part)) return yield* changesOfSetting(part, wanted, place)
  const actual = new Map((await rowsIn(part, place)).map((row) => [labelOf(row), row]))
  const bodies = wanted as Row[]
  for (const body of part.again?.(bodies) ?? bodies) {
    const own = Object.fromEntries(Object.entries(body).filter(([key]) => part.fields.includes(key)))
    const found = actual.get(labelOf(body))
    if (found) yield* differences(part, { own, found }, place)
    else
      yield {
        kind: 'create',
        text: textOf(part, own, place),
        make: () => part.create(place.source.api, place.at, own),
      }
    for (const inner of part.parts)
      if (body[inner.key] !== undefined) yield* changesOf(inner, body[inner.key], within(part, body, place))
  }
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
function* differences(
  part: Section,
  { own, found }: { own: Row; found: Row },
  place: Place,
): Generator<Change> {
  const keys = Object.keys(own).filter((key) => !part.initial?.includes(key) && !isSame(own[key], found[key]))
  const fixed = keys.filter((key) => !part.changeable.includes(key))
  const words = (some: readonly string[]) =>
    some.map((key) => `${key}: ${short(found[key])} → ${short(own[key])}`).join(', ')
  if (fixed.length > 0)
    yield {
      kind: 'refuse',
      text: `${textOf(part, own, place)}  ${words(fixed)} cannot be changed`,
      make: () => Promise.resolve(),
    }
  else if (keys.length > 0)
    yield {
      kind: 'update',
      text: `${textOf(part, own, place)}  ${words(keys)}`,
      make: () => part.update(place.source.api, place.at, { ...found, ...own }),
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
  for (const part of topParts)
    if (document[part.key] !== undefined)
      await collect(part, document[part.key], { place: { source, at: {}, path: '' }, found })
  return found
}

interface Collecting {
  place: Place
  found: Change[]
}

async function collect(
  part: Section | Setting,
  wanted: unknown,
  { place, found }: Collecting,
): Promise<void> {
  if (isSetting(part)) return
  const bodies = new Map((wanted as Row[]).map((body) => [labelOf(body), body]))
  const rows = await rowsIn(part, place)
  for (const row of rows) {
    const body = bodies.get(labelOf(row))
    if (!body && place.path === '') continue
    // Later parts need earlier ones, so they go first. Of a row that goes, everything inside goes too.
    for (const inner of ownParts(part.parts).toReversed()) {
      const inside = body ? body[inner.key] : []
      if (inside !== undefined) await collect(inner, inside, { place: within(part, row, place), found })
    }
    if (!body) found.push(deletion(part, row, place))
  }
}

function deletion(part: Section, row: Row, place: Place): Change {
  const text = textOf(part, row, place)
  if (row['protected'] === true)
    return {
      kind: 'refuse',
      text: `${text}  is protected from deletion: apply protected: false first`,
      make: () => Promise.resolve(),
    }
  return { kind: 'delete', text, make: () => part.remove(place.source.api, place.at, row) }
}
