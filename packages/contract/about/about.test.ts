import { expect, it } from 'vitest'
import type { OpShape } from '../op.ts'
import { operations, type OperationName } from '../operations.ts'
import type { Field, Node } from '../schema.ts'
import { aboutField, fieldSentences } from './fields.ts'
import { aboutOperation, titleOf } from './operations.ts'

/** Every field of an operation with its owner. */
function* fieldsIn(node: Node, owner: string): Generator<[string, Field]> {
  switch (node.kind) {
    case 'ref':
      return yield* fieldsIn(node.inner, node.name)
    case 'nullable':
      return yield* fieldsIn(node.inner, owner)
    case 'array':
      return yield* fieldsIn(node.item, owner)
    case 'record':
      return yield* fieldsIn(node.value, owner)
    case 'object':
      for (const field of node.fields) {
        yield [owner, field]
        yield* fieldsIn(field.node, `${owner}.${field.key}`)
      }
      return
    case 'union':
      for (const arm of node.arms.values()) yield* fieldsIn(arm, owner)
      return
    default:
  }
}
const parts = ['params', 'query', 'body', 'response'] as const
const all = (Object.entries(operations) as [OperationName, OpShape][]).flatMap(([name, op]) =>
  parts.flatMap((part) => (op[part] ? [...fieldsIn(op[part].node, name)] : [])),
)
const isSentence = (text: string | undefined) => text !== undefined && /^[A-Z`].*\.$/.test(text)

it('every field of every operation has a sentence', () => {
  const missing = all.filter(([owner, field]) => !isSentence(aboutField(owner, field)))
  expect([...new Set(missing.map(([owner, { key }]) => `${owner}.${key}`))]).toEqual([])
})

it('every sentence about a field is about one that exists', () => {
  const existing = new Set(all.map(([owner, { key }]) => `${owner}.${key}`))
  const sentences = Object.entries(fieldSentences).flatMap(([owner, fields]) =>
    Object.keys(fields).map((key) => `${owner}.${key}`),
  )
  expect(sentences.filter((field) => !existing.has(field))).toEqual([])
})

it('every operation has sentences, and the first one is a title', () => {
  const names = Object.keys(operations) as OperationName[]
  expect(names.filter((name) => !isSentence(aboutOperation(name)))).toEqual([])
  expect(names.filter((name) => !/^[A-Z]\w+ .*[^.]$|^Sign out$/.test(titleOf(name)))).toEqual([])
})

it('the words of a plain operation follow from its kind and verb', () => {
  expect(aboutOperation('certificateList')).toBe('List certificates of the silo.')
  expect(aboutOperation('vpcCreate')).toBe('Create a VPC. Names of VPCs are unique within a project.')
  expect(aboutOperation('diskDelete')).toBe('Delete a disk. The disk must be detached or faulted.')
  expect(titleOf('instanceReboot')).toBe('Reset an instance')
})
