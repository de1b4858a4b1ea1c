import { expect, it } from 'vitest'
import { tagChange, tagsIn, tagsProblem, tagsText, withTags } from './tags.ts'

it('a line for each tag is read as it was written', () => {
  const tags = { team: 'a b', env: 'prod', url: 'x=y', alone: '' }
  expect(tagsText(tags)).toBe('alone\nenv=prod\nteam=a b\nurl=x=y')
  expect(tagsIn(tagsText(tags))).toEqual(tags)
  expect(tagsIn('\n  env = prod \n\n')).toEqual({ env: 'prod' })
  expect(tagsText()).toBe('')
})

it.each([
  ['env=prod\n=x', 'Line 2: a key must not be empty'],
  ['env=prod\n\nenv=test', 'Line 3: env is there twice'],
  ['a key=x', /^Line 1: a key begins with/],
  [`a=${'x'.repeat(129)}`, /^Line 1: a value may have at most/],
  [Array.from({ length: 51 }, (_, i) => `k${i}`).join('\n'), 'At most 50 tags'],
])('%j has a problem', (text, problem) => {
  expect(tagsProblem(text)).toMatch(problem)
})

it('a request has tags if the text has changed', () => {
  expect(withTags({ name: 'web', tags: 'env=prod' }, { text: 'env=prod' })).toEqual({
    name: 'web',
    tags: { env: 'prod' },
  })
  expect(withTags({ name: 'web', tags: 'a=b' }, { text: 'a=b', before: 'a=b' })).toEqual({ name: 'web' })
  expect(withTags({ name: 'web' }, { text: '', before: 'a=b' })).toEqual({ name: 'web', tags: {} })
  expect(withTags({ name: 'web' }, { text: undefined })).toEqual({ name: 'web' })
})

it('a change names the tags that differ only', () => {
  const tags = { env: 'prod', team: 'a', alone: '' }
  expect(tagChange(tags, { env: 'test', team: 'a', more: 'x' })).toEqual({
    set: { env: 'test', more: 'x' },
    remove: ['alone'],
  })
  expect(tagChange(tags, { ...tags })).toEqual({})
  expect(tagChange({}, { env: '' })).toEqual({ set: { env: '' } })
  expect(tagChange(tags, {})).toEqual({ remove: ['env', 'team', 'alone'] })
})
