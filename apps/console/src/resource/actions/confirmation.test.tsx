import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ping } from '@purlin/contract/operations/access/sessions'
import { requestTo } from '#/api/request.ts'
import { toastStore } from '#/ui/feedback/toast.ts'
import { closeConfirm, confirmStore } from './confirm.ts'
import { whenFree } from '#/live/heldReads.ts'
import { openControlPlane } from '#/preview/testing.ts'
import { askAll, askMany } from './askMany.tsx'
import { askOne } from './askOne.tsx'
import { kinds } from '../kinds.ts'
import { carryOut, deletion, type Confirmation } from './confirmation.tsx'

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

it('a dialog has its note, and opens without it if it cannot be loaded', async () => {
  await askOne(
    deleting(() => Promise.resolve('It has data.')),
    row,
  )
  expect(asked()).toContain('It has data.')
  const failing = deleting(() => Promise.reject(new TypeError('no network')))
  await askOne(failing, row)
  expect(asked()).toContain('Could not load the resources that depend on it: Could not reach the server.')
  await askMany(failing, { rows: [row, row], left: [], onDone: () => undefined })
  expect(asked()).toContain('Could not load the resources that depend on it: Could not reach the server.')
})

const byServer: Confirmation<typeof row> = {
  ...deleting(() => Promise.resolve('')),
  task: { kind: 'disk', action: 'delete' },
}

it('a question about chosen rows says why the server would leave others as they are', async () => {
  await openControlPlane('projectCollaborator')
  const left = [{ id: '00000000-0000-4000-8000-000000000000', name: 'gone' }]
  await askMany(byServer, { rows: [row], left, onDone: () => undefined })
  expect(asked()).toContain('1 not found')
})

it('no dialog opens if the action applies to no match', async () => {
  await openControlPlane('projectCollaborator')
  await askAll(byServer, { whole: { query: '/v1/disks?project=demo' }, onDone: () => undefined })
  expect(confirmStore.get()).toBeNull()
  expect(toastStore.get().at(-1)).toMatchObject({
    title: 'Could not delete the disks',
    content: 'None of the 0 disks that match can be deleted.',
  })
})

it('the server is asked about rows that do not say whether they allow it, and names those that would be left', async () => {
  await openControlPlane('projectCollaborator')
  const rows = [{ id: '00000000-0000-4000-8000-000000000000', name: 'gone' }]
  await askAll(byServer, { whole: { ids: rows.map(({ id }) => id) }, rows, onDone: () => undefined })
  expect(confirmStore.get()).toBeNull()
  expect(toastStore.get().at(-1)).toMatchObject({
    title: 'Could not delete the disks',
    content: 'None of them can be deleted: not found.',
  })
})

it('the page of what is deleted is not read again until it has been left', async () => {
  await openControlPlane('projectCollaborator')
  const steps: string[] = []
  const of = deletion(kinds.disk, { leave: () => steps.push('left') })
  const { after } = of
  const deleted = carryOut(of, { ...row, id: '00000000-0000-4000-8000-000000000000' } as never).catch(
    () => undefined,
  )
  const read = whenFree().then(() => steps.push('read'))
  await deleted
  await after()
  await read
  expect(steps).toEqual(['left', 'read'])
})

it('an action that can be taken back begins without a question', async () => {
  const started: string[] = []
  const starting: Confirmation<typeof row> = {
    noun: 'disk',
    verb: 'start',
    done: 'started',
    isDanger: false,
    canBeUndone: true,
    request: () => requestTo(ping, {}),
    after: () => Promise.resolve(),
    run: ({ name }) => Promise.resolve(started.push(name)),
  }
  await askOne(starting, row)
  await askMany(starting, { rows: [row, row], left: [], onDone: () => undefined })
  expect([started, confirmStore.get()]).toEqual([['web', 'web', 'web'], null])
  await askMany(starting, { rows: [row], left: [row], onDone: () => undefined })
  expect(asked()).toContain('1 disk of the selection is in another state')
})

it('a long list in a question is cut', async () => {
  const rows = Array.from({ length: 50 }, (_, i) => ({ id: String(i), name: `web-${i}` }))
  await askMany(
    deleting(() => Promise.resolve('')),
    { rows, left: [], onDone: () => undefined },
  )
  expect(confirmStore.get()?.modalTitle).toBe('Delete 50 disks')
  const shown = asked()
  expect(shown).toContain('<li>web-9</li><li>and 40 more</li>')
  expect(shown).not.toContain('web-10')
})
