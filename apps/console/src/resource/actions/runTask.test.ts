import { GiB } from '@purlin/contract/rules/limits'
import { expect, it, vi } from 'vitest'
import { queryClient } from '#/api/query.ts'
import { openControlPlane } from '#/preview/testing.ts'
import { openTasks } from './activity.ts'
import { beginTask, followTask } from './runTask.ts'

it('a task counts as open, with the number of its items, until it has ended', async () => {
  const { world } = await openControlPlane('projectCollaborator')
  vi.stubGlobal('window', { setTimeout, clearTimeout })
  const client = world.as('projectCollaborator')
  const diskSource = { type: 'blank', blockSize: 512 } as const
  const ids: string[] = []
  for (const name of ['one', 'two']) {
    const body = { name, description: '', size: GiB, diskSource }
    ids.push((await client.diskCreate({ query: { project: 'demo' }, body })).id)
  }
  await world.advance(1000)
  const seen: string[] = []
  const stop = openTasks.subscribe(() => {
    seen.push([...openTasks.get().values()].map(({ done, total }) => `${done} of ${total}`).join())
  })
  const begun = await beginTask({ kind: 'disk', action: 'delete' }, { ids })
  if (!begun) throw new Error('the server has no tasks')
  const after = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const end = followTask(begun, { noun: 'disk', done: 'deleted', after })
  await world.advance(1000)
  // As an event does: in tests nothing polls.
  await queryClient.refetchQueries()
  await end
  stop()
  expect(seen.at(0)).toBe('0 of 2')
  expect(seen.at(-2)).toBe('2 of 2')
  expect(openTasks.get().size).toBe(0)
})
