import { expect, it } from 'vitest'
import { hrefOf, isOver, words, type Step } from './steps.ts'
import { keysOf } from '@purlin/contract/rules/keys'

const step = (done: boolean): Step => ({ step: 'image', done, permitted: true })

it('the first steps end when all are done, or are dismissed', () => {
  expect(isOver({ dismissed: false, steps: [step(true), step(false)] })).toBe(false)
  expect(isOver({ dismissed: false, steps: [step(true)] })).toBe(true)
  expect(isOver({ dismissed: false, steps: [] })).toBe(true)
  expect(isOver({ dismissed: true, steps: [step(false)] })).toBe(true)
})

it('each step leads to its form and back, as soon as there is a project for it', () => {
  for (const name of keysOf(words)) expect(hrefOf(name, 'web'), name).toMatch(/^\//)
  expect(hrefOf('image', undefined)).toBeUndefined()
  expect(hrefOf('image', 'web')).toBe('/projects/web/images-import?back=%2Fprojects')
})
