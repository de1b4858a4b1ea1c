import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { closeConfirm, confirmStore } from './confirm.ts'
import { askMany } from './askMany.tsx'
import { askOne, type Confirmation } from './confirmation.tsx'

const row = { id: 'a', name: 'web' }
const deleting = (note: () => Promise<string>): Confirmation<typeof row> => ({
  noun: 'disk',
  verb: 'delete',
  done: 'deleted',
  isDanger: true,
  note,
  run: () => Promise.resolve(),
  after: () => Promise.resolve(),
})
const asked = () => {
  const shown = renderToStaticMarkup(confirmStore.get()?.modalContent)
  closeConfirm()
  return shown
}

it('a question has its note, and is asked without one that cannot be made', async () => {
  await askOne(
    deleting(() => Promise.resolve('It has data.')),
    row,
  )
  expect(asked()).toContain('It has data.')
  const failing = deleting(() => Promise.reject(new TypeError('no network')))
  await askOne(failing, row)
  expect(asked()).toContain('could not be looked up: Could not reach the server.')
  await askMany(failing, { rows: [row, row], left: [], onDone: () => undefined })
  expect(asked()).toContain('could not be looked up: Could not reach the server.')
})
