import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '@purlin/contract/client'
import { ExplainedError } from '#/api/errors.ts'
import { addToast, clearToasts, toastStore } from '#/ui/feedback/toast.ts'
import { toastFailure } from './toasts.tsx'
import { undoable } from './undo.tsx'

// The keys of the page are heard there.
vi.stubGlobal('document', new EventTarget())
afterAll(() => {
  clearToasts()
  vi.unstubAllGlobals()
})
beforeEach(clearToasts)

const press = async () => {
  toastStore.get()[0]?.action?.onAction()
  await vi.waitFor(() => expect(toastStore.get().length).toBeGreaterThan(1), 60_000)
  return toastStore.get().at(-1)
}

it('an action that is taken back says what was done', async () => {
  const run = vi.fn(() => Promise.resolve())
  addToast(undoable({ content: 'Disk a detached' }, { run, undone: 'Disk a attached again' }))
  expect(toastStore.get()[0]).toMatchObject({ action: { text: 'Undo' }, timeout: 10_000 })
  expect(run).not.toHaveBeenCalled()
  expect(await press()).toMatchObject({
    title: 'Undone',
    content: 'Disk a attached again',
    variant: 'success',
  })
  expect(run).toHaveBeenCalledOnce()
})

it('an action that cannot be taken back any more says why', async () => {
  const run = () => Promise.reject(new ExplainedError('Another user has moved it since.'))
  addToast(undoable({ content: 'Floating IP a attached' }, { run, undone: 'Floating IP a detached again' }))
  expect(await press()).toMatchObject({
    title: 'Could not undo',
    content: 'Another user has moved it since.',
    variant: 'error',
  })
})

it('a failure has its sentence, the id of its request and the code that the guide explains', () => {
  const error = new ApiError('diskDelete', 400, {
    message: 'disk is attached',
    code: 'InvalidRequest',
    requestId: 'r1',
  })
  toastFailure('Could not delete disk', error)
  expect(toastStore.get()).toMatchObject([
    {
      variant: 'error',
      title: 'Could not delete disk',
      content: 'Disk is attached',
      requestId: 'r1',
      code: 'InvalidRequest',
    },
  ])
})
