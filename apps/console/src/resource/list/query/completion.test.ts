import { columnsOf } from '@purlin/contract/rules/query/columns'
import { readQuery } from '@purlin/contract/rules/query/query'
import { expect, it } from 'vitest'
import { completed, completionAt, pairAt, typedPair } from './completion.ts'

const columns = columnsOf('instance')
const found = (text: string, caret = text.length, isAsked = false) =>
  completionAt(columns, { text, caret, isAsked })
const at = (text: string, isAsked = false) => found(text, text.length, isAsked).options

it('offers columns, and the values of the one that is typed', () => {
  expect(at('mem')).toEqual(['memory>', 'memory<'])
  expect(at('-st')).toEqual(['-state:'])
  expect(at('web state:st')).toEqual(['state:starting', 'state:stopping', 'state:stopped'])
  expect(at('memory>1')).toEqual(['memory>1GiB', 'memory>16GiB', 'memory>1TiB'])
  expect(at('created<7')).toEqual(['created<7d'])
  expect(at('s')).toEqual([])
  expect(at('"st')).toEqual([])
  expect(at('state:failed')).toEqual([])
})

it('offers the tags in use, a key and then its values', () => {
  const typedAt = (text: string) => pairAt(columns, { text, caret: text.length })
  expect(typedAt('web tag:e')).toEqual({ prefix: 'e' })
  expect(typedAt('-tag:env=pr')).toEqual({ key: 'env', prefix: 'pr' })
  expect([typedAt('state:st'), typedAt('tag'), typedAt('web ')]).toEqual([undefined, undefined, undefined])
  const offered = (text: string, ...pairs: { key: string; value?: string }[]) =>
    completionAt(columns, { text, caret: text.length, isAsked: false }, { pairs: pairs.map(typedPair) })
  const keys = offered('web -tag:e', { key: 'env' }, { key: 'else' })
  expect(keys.options).toEqual(['-tag:env=', '-tag:else='])
  expect(completed('web -tag:e', keys, '-tag:env=')).toEqual({ text: 'web -tag:env=', caret: 13 })
  const values = offered('tag:env=', { key: 'env', value: 'prod' }, { key: 'env', value: 'web shop' })
  expect(values.options).toEqual(['tag:env=prod', 'tag:"env=web shop"'])
  expect(offered('tag:env=w', { key: 'env', value: 'web shop' }).options).toEqual(['tag:"env=web shop"'])
  expect(readQuery(columns, 'tag:"env=web shop"').filters).toEqual(['tag:env=web shop'])
})

it('offers every column when it is asked', () => {
  expect(at('', true)).toContain('state:')
  expect(at('web ', true)).toContain('created<')
})

it('replaces the word at the caret', () => {
  const text = 'web stat cpus>4'
  expect(completed(text, found(text, 8), 'state:')).toEqual({ text: 'web state: cpus>4', caret: 10 })
  expect(completed('state:fa', found('state:fa'), 'state:failed')).toEqual({
    text: 'state:failed ',
    caret: 13,
  })
})

it('offers the values that a list knows of a column', () => {
  const ofLog = (text: string) =>
    completionAt(
      columnsOf('auditLog'),
      { text, caret: text.length, isAsked: false },
      { pairs: [], values: { operation: ['disk_create', 'disk_delete', 'vpc_delete'] } },
    ).options
  expect(ofLog('-operation:disk_')).toEqual(['-operation:disk_create', '-operation:disk_delete'])
  expect(ofLog('kind:d')).toEqual([])
  expect(ofLog('result:')).toEqual(['result:success', 'result:error', 'result:unknown'])
})
