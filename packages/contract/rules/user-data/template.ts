/**
 * Templates of user data: texts with fields, which a person fills in. `<<<name>>>` in the text stands for the value of the
 * field. In YAML a value stays inside of the text that it is a part of, so that it can add no settings: decision 0108.
 */
import { sshKeyProblem } from '../credentials/ssh-key.ts'
import { KiB, limits } from '../limits.ts'
import { bytesOf, isUnprintable, keysIn } from './texts.ts'
import type { FieldType } from './fields.ts'
import { isField, readSlots, type Slot } from './slots.ts'
import { blockOf, quotedOf } from './scalars.ts'

const { userData } = limits.instance
const { value: longest } = limits.userDataTemplate

/** A value that a person enters. */
export interface TemplateField {
  name: string
  type: FieldType
  default?: string | null | undefined
  required?: boolean | null | undefined
}
export interface Template {
  text: string
  fields: readonly TemplateField[]
}
/** The values of fields, by name. */
export type Values = Readonly<Record<string, string>>

/** The part of a template that is wrong, and the reason. */
export interface TemplateProblem {
  part: 'text' | 'fields'
  reason: string
}

/** The first problem with a template: whether its text is valid, and its fields are those that the text has. */
export function templateProblem({ text, fields }: Template): TemplateProblem | undefined {
  const ofField = repeated(fields) ?? fields.map(defaultProblem).find((one) => one !== undefined)
  if (ofField !== undefined) return { part: 'fields', reason: ofField }
  if (bytesOf(text) > userData) return { part: 'text', reason: `it can have at most ${userData / KiB} KiB` }
  const read = readSlots(text, fields)
  if ('problem' in read) return { part: 'text', reason: read.problem }
  const used = new Set(read.slots.flatMap(({ parts }) => parts.filter(isField).map(({ name }) => name)))
  const unused = fields.find(({ name }) => !used.has(name))
  return unused && { part: 'fields', reason: `the text does not have <<<${unused.name}>>>` }
}

function repeated(fields: readonly TemplateField[]): string | undefined {
  const names = fields.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  return twice && `${twice} is there twice`
}

function defaultProblem({ name, type, default: initial }: TemplateField): string | undefined {
  if (initial == null || initial === '') return undefined
  if (type === 'secret') return `${name} is a secret, which is not stored, and has no default`
  const problem = valueProblem({ type }, initial)
  return problem && `the default of ${name} is invalid: ${problem}`
}

/** The reason why a field cannot have a value; undefined if it can. */
export function valueProblem(
  { type, required }: Pick<TemplateField, 'type' | 'required'>,
  value: string,
): string | undefined {
  if (required === true && value.trim() === '') return 'a value is needed'
  if (bytesOf(value) > longest) return `it can have at most ${longest / KiB} KiB`
  if (isUnprintable(value)) return 'it can have no control characters'
  if (type === 'ssh_keys')
    return keysIn(value)
      .map(sshKeyProblem)
      .find((one) => one !== undefined)
  return type !== 'lines' && value.includes('\n') ? 'it can have one line only' : undefined
}

/** The values that a person begins with: the defaults of fields, and the person's keys in fields for SSH keys. */
export const startValues = (fields: readonly TemplateField[], sshKeys: readonly string[] = []): Values =>
  Object.fromEntries(
    fields.map(({ name, type, default: initial }) => [
      name,
      initial ?? (type === 'ssh_keys' ? sshKeys.join('\n') : ''),
    ]),
  )

/** The first reason why a template cannot be filled in with these values: a name that is no field, or the value of one. */
export function valuesProblem(fields: readonly TemplateField[], values: Values): string | undefined {
  const unknown = Object.keys(values).find((name) => fields.every((field) => field.name !== name))
  if (unknown !== undefined) return `there is no field ${unknown}`
  for (const field of fields) {
    const problem = valueProblem(field, values[field.name] ?? '')
    if (problem !== undefined) return `${field.name}: ${problem}`
  }
  return undefined
}

/**
 * The user data of a template with these values; a field without one is empty. Neither the template nor a value may have a
 * problem.
 */
export function fillTemplate({ text, fields }: Template, values: Values): string {
  const read = readSlots(text, fields)
  if ('problem' in read) throw new Error(read.problem)
  let filled = ''
  let at = 0
  for (const slot of read.slots) {
    filled += text.slice(at, slot.start) + written(slot, values)
    at = slot.end
  }
  return filled + text.slice(at)
}

function written({ parts, as }: Slot, values: Values): string {
  const texts = parts.map((part) => {
    if (!isField(part)) return part
    const value = values[part.name] ?? ''
    return part.type === 'ssh_keys' ? keysIn(value).join('\n') : value
  })
  const text = texts.join('')
  switch (as.type) {
    case 'text':
      return text
    case 'quoted':
      return quotedOf(text)
    case 'list':
      return `[${keysIn(text).map(quotedOf).join(', ')}]`
    case 'block':
      return blockOf(text, as.source)
  }
}
