/** Documents: read from a server, and checked when they come from a file. */
import { documentFormat } from '@purlin/contract/commands/documents'
import { CliError } from '../errors.ts'
import type { Api, Row } from '../http/api.ts'
import { plainText } from '../output/json.ts'
import { projects } from './project-sections.ts'
import {
  isField,
  isSetting,
  labelOf,
  ownParts,
  type At,
  type Section,
  type Setting,
  type Source,
} from './section.ts'
import { systemParts } from './system-sections.ts'

/** All parts that a document can have. */
export const topParts: readonly (Section | Setting)[] = [...systemParts, projects]

/** A server that remembers names by id. */
export function sourceOf(api: Api): Source {
  const known = new Map<string, Promise<string | null>>()
  const read = async (view: Parameters<Source['nameOf']>[0], key: string, id: unknown) => {
    const row = await api.find(view, { params: { [key]: id } })
    return row ? String(row['name']) : null
  }
  return {
    api,
    nameOf(view, key, id) {
      if (id === null || id === undefined) return Promise.resolve(null)
      const name = known.get(plainText(id)) ?? read(view, key, id)
      known.set(plainText(id), name)
      return name
    },
  }
}

/** Reads a part with all that is in it. `only` is the name of the one resource to read. */
async function readPart(
  source: Source,
  part: Section | Setting,
  { at = {}, only }: { at?: At; only?: string } = {},
): Promise<unknown> {
  if (isSetting(part)) return part.read(source, at)
  const rows = (await part.list(source, at)).filter(({ name }) => only === undefined || name === only)
  const found: Row[] = []
  for (const row of rows) {
    const inner: [string, unknown][] = []
    for (const one of ownParts(part.parts)) {
      const value = await readPart(source, one, { at: { ...at, [part.parentKey]: String(row['name']) } })
      if (isField(one) || !isEmpty(value)) inner.push([one.key, value])
    }
    const own = Object.entries(row).filter(([key]) => !part.chosen?.includes(key))
    found.push(Object.fromEntries([...own, ...inner]))
  }
  return part.field ? part.field.valueOf(found) : found
}

// A setting may be an empty list, which says something; a section without resources does not.
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** The document of a project, or of the fleet. */
export async function readDocument(api: Api, project: string | undefined): Promise<Row> {
  const source = sourceOf(api)
  const parts = project === undefined ? systemParts : [projects]
  const read: Record<string, unknown> = { purlin: documentFormat }
  for (const part of parts)
    read[part.key] = await readPart(source, part, project === undefined ? {} : { only: project })
  return read
}

/** The parts of a document. Throws CliError for a document with anything else in it. */
export function checkedDocument(value: unknown): Row {
  if (typeof value !== 'object' || value === null || (value as Row)['purlin'] !== documentFormat)
    throw new CliError('usage', `expected a document that begins with purlin: ${documentFormat}`)
  const { purlin: _format, ...parts } = value as Row
  checkKeys(parts, topParts, { fields: [], path: 'the document' })
  return parts
}

interface Place {
  fields: readonly string[]
  path: string
}

function checkKeys(body: Row, parts: readonly (Section | Setting)[], { fields, path }: Place): void {
  for (const [key, value] of Object.entries(body)) {
    if (fields.includes(key)) continue
    const part = parts.find((one) => one.key === key)
    if (!part) throw new CliError('usage', `${path} has an unknown field ${key}`)
    if (!isSetting(part)) checkRows(part, value, path)
  }
}

function checkRows(part: Section, rows: unknown, path: string): void {
  if (!Array.isArray(rows)) throw new CliError('usage', `${part.key} in ${path} must be a list`)
  const labels = new Set<string>()
  for (const row of rows as unknown[]) {
    if (typeof row !== 'object' || row === null)
      throw new CliError('usage', `${part.key} in ${path} must be a list of objects`)
    const label = labelOf(row as Row)
    if (labels.has(label)) throw new CliError('usage', `${path} has two ${part.key} called ${label}`)
    labels.add(label)
    checkKeys(row as Row, part.parts, { fields: part.fields, path: `${part.noun} ${label}` })
  }
}
