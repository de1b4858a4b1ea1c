import { op } from '@purlin/contract/op'
import { object, optional, string, unlimited } from '@purlin/contract/schema'
import { expect, it } from 'vitest'
import { validateLength } from '#/lib/input/validate.ts'
import { textRules } from './textRules.ts'

const body = object({ title: string({ maxLength: 3 }), note: optional(string(unlimited)) })
const create = op({ method: 'POST', path: '/', allow: 'user', ok: 201, tag: '', body })

it('a text field has the rules of the request that it goes into', () => {
  expect(textRules(create, 'title')).toEqual({ required: true, maxLength: 3 })
  expect(textRules(create, 'note')).toEqual({ required: false, maxLength: undefined })
})

it('characters count, whatever they are stored in', () => {
  expect(validateLength(3)('😀😀😀')).toBeUndefined()
  expect(validateLength(3)('four')).toBe('Must be 3 characters or fewer')
})
