import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it } from 'vitest'
import { openTasks } from '#/resource/actions/activity.ts'
import { ActivityButton } from './ActivityButton.tsx'

afterEach(() => openTasks.set(new Map()))

it('the button of the activity shows how far the open tasks are together, and nothing without any', () => {
  const text = () => renderToStaticMarkup(<ActivityButton />).replaceAll(/<[^>]*>/g, '')
  expect(text()).toBe('')
  openTasks.set(
    new Map([
      ['a', { done: 3, total: 30 }],
      ['b', { done: 1, total: 2 }],
    ]),
  )
  expect(text()).toBe('4 of 32')
})
