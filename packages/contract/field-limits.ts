/** The limits of a field of a request. Forms read them from the operation that they send. */
import type { Args, OpShape } from './op.ts'
import { bare, type Field, type Node } from './schema.ts'

export interface FieldLimits {
  isRequired: boolean
  /** Of text: characters. */
  maxLength?: number
  /** Of a whole number, both included. */
  min?: number
  max?: number
  /** Of a list. */
  maxItems?: number
}

type Body<O extends OpShape> = Args<O> extends { body: infer B } ? B : never

function fieldOf(op: OpShape, key: string): Field | undefined {
  const body = op.body && bare(op.body.node)
  return body?.kind === 'object' ? body.fields.find((one) => one.key === key) : undefined
}

/** True if an operation's body may have a field. */
export const takesField = (op: OpShape, key: string): boolean => fieldOf(op, key) !== undefined

/** The limits of a field of an operation's body. Throws if the body has no such field. */
export function fieldLimits<O extends OpShape>(op: O, key: keyof Body<O> & string): FieldLimits {
  const field = fieldOf(op, key)
  if (!field) throw new Error(`${op.method} ${op.path} has no field ${key}`)
  return { isRequired: isRequired(field), ...limitsOf(field.node) }
}

const isRequired = ({ optional, fallback }: Field) => !optional && !fallback

function limitsOf(node: Node): Omit<FieldLimits, 'isRequired'> {
  switch (node.kind) {
    case 'ref':
    case 'nullable':
      return limitsOf(node.inner)
    case 'string':
      return node.maxLength === undefined ? {} : { maxLength: node.maxLength }
    case 'integer':
      return { min: Number(node.min), max: Number(node.max) }
    case 'array':
      return node.max ? { maxItems: node.max.count } : {}
    default:
      return {}
  }
}
