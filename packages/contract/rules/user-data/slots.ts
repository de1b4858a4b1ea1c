/** The places in a template where values go. */
import { isSeq, visit, type Node, type Scalar } from 'yaml'
import { isYaml, parseCloudConfig } from './cloud-config.ts'
import type { FieldType } from './fields.ts'

interface Field {
  name: string
  type: FieldType
}
/** A part of a text: as it is, or the value of a field. */
export type Part = string | Field
export const isField = (part: Part): part is Field => typeof part !== 'string'

/** A range of a template that has values in it, and how it is written again. */
export interface Slot {
  start: number
  end: number
  parts: readonly Part[]
  as: { type: 'text' | 'quoted' | 'list' } | { type: 'block'; source: string }
}
type Slots = { slots: Slot[] } | { problem: string }

const placeholders = /<<<([A-Za-z0-9_-]+)>>>/g
const hasPlaceholder = (text: string): boolean => text.search(placeholders) >= 0
const isJinja = /^##\s*template:\s*jinja/i

const lineAt = (text: string, at: number): string => `line ${text.slice(0, at).split('\n').length}`

/** The places of a text that have these fields, in order, or the first problem with the text and its line. */
export function readSlots(text: string, fields: readonly Field[]): Slots {
  const at = text.search(placeholders)
  if (at >= 0 && isJinja.test(text))
    return { problem: `${lineAt(text, at)}: Jinja would evaluate the value, so its templates have no fields` }
  if (isYaml(text)) return slotsOfYaml(text, fields)
  const whole = { start: 0, end: text.length }
  const problem = unknownIn(text, whole, fields)
  if (problem !== undefined) return { problem }
  return { slots: at < 0 ? [] : [{ ...whole, parts: partsOf(text, fields), as: { type: 'text' } }] }
}

/** The names of the fields that a text has, in order; of an invalid text, all that may be one. */
export function namesIn(text: string): string[] {
  const names = new Set([...text.matchAll(placeholders)].map(([, name = '']) => name))
  if (names.size === 0) return []
  const read = readSlots(
    text,
    [...names].map((name) => ({ name, type: 'text' })),
  )
  if ('problem' in read) return [...names]
  return [...new Set(read.slots.flatMap(({ parts }) => parts.filter(isField).map(({ name }) => name)))]
}

/** The placeholder in a range of a text that stands for none of the fields. */
function unknownIn(
  text: string,
  { start, end }: { start: number; end: number },
  fields: readonly Field[],
): string | undefined {
  const found = [...text.slice(start, end).matchAll(placeholders)].find(
    ([, name]) => !fields.some((field) => field.name === name),
  )
  return found && `${lineAt(text, start + found.index)}: there is no field ${found[1]}`
}

const partsOf = (text: string, fields: readonly Field[]): Part[] =>
  // Every second part is a name.
  text.split(placeholders).map((part, i) => (i % 2 === 0 ? part : fieldOf(part, fields)))

const fieldOf = (name: string, fields: readonly Field[]): Part =>
  fields.find((field) => field.name === name) ?? `<<<${name}>>>`

function slotsOfYaml(text: string, fields: readonly Field[]): Slots {
  const parsed = parseCloudConfig(text)
  if ('problem' in parsed) return parsed
  const slots: Slot[] = []
  let problem: string | undefined
  visit(parsed.document, {
    Scalar(key, node, path) {
      if (!hasPlaceholder(String(node.value)) && !hasPlaceholder(sourceOf(text, node))) return undefined
      const slot = slotOf({ text, node, isKey: key === 'key', parent: path.at(-1) }, fields)
      if (typeof slot !== 'string') slots.push(slot)
      else problem = slot
      return problem === undefined ? undefined : visit.BREAK
    },
  })
  return problem === undefined ? { slots } : { problem }
}

const sourceOf = (text: string, { range }: Scalar): string => (range ? text.slice(range[0], range[1]) : '')

interface Found {
  text: string
  node: Scalar
  isKey: boolean
  parent: unknown
}

/** The place of a value of YAML, or the reason why it can have no fields. */
function slotOf({ text, node, isKey, parent }: Found, fields: readonly Field[]): Slot | string {
  const [start, end] = node.range ?? [0, 0]
  const source = sourceOf(text, node)
  const line = lineAt(text, start + Math.max(source.search(placeholders), 0))
  if (isKey) return `${line}: a field can be a value, not the name of a setting`
  if (node.tag !== undefined && node.tag !== stringTag) return `${line}: a field can have no tag but !!str`
  const unknown = unknownIn(text, { start, end }, fields)
  if (unknown !== undefined) return unknown
  const parts = partsOf(String(node.value), fields).filter((part) => part !== '')
  const [only] = parts
  const isList =
    node.type === 'PLAIN' &&
    node.tag === undefined &&
    parts.length === 1 &&
    only !== undefined &&
    isField(only) &&
    only.type === 'ssh_keys'
  if (isList && isSeq(parent as Node))
    return `${line}: ${only.name} is a list already, so it cannot be in another one`
  if (source.startsWith('|') || source.startsWith('>'))
    return { start, end, parts, as: { type: 'block', source } }
  return { start, end, parts, as: { type: isList ? 'list' : 'quoted' } }
}

const stringTag = 'tag:yaml.org,2002:str'
