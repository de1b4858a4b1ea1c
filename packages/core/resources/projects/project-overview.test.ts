import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { forceRow, smallInstance } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { answers, projectRead } from '#/testing/roles.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  await w.close()
})

const overview = (project = 'demo') => w.as('projectViewer').projectOverview({ params: { project } })
const makeInstance = (name: string, project = 'demo') =>
  w.as('admin').instanceCreate({ query: { project }, body: smallInstance(name, { start: false }) })
const makeDisk = (name: string, project = 'demo') =>
  w.as('admin').diskCreate({
    query: { project },
    body: { name, description: '', size: 2 * GiB, diskSource: { type: 'blank', blockSize: 512 } },
  })
const countOf = async (kind: string) => (await overview()).resources.find((one) => one.kind === kind)

it('needs the permission to see the project', async () => {
  expect(await answers(w, (client) => client.projectOverview({ params: { project: 'demo' } }))).toEqual(
    projectRead,
  )
})

it('counts the resources of the project by state, and of no other project', async () => {
  await w.as('admin').projectCreate({ body: { name: 'other', description: '' } })
  await makeInstance('web')
  await makeInstance('db')
  await makeInstance('elsewhere', 'other')
  await makeDisk('data')
  await w.settle()
  expect(await countOf('instance')).toEqual({
    kind: 'instance',
    totalItems: 2,
    totals: { state: { stopped: 2 } },
  })
  expect(await countOf('disk')).toEqual({ kind: 'disk', totalItems: 1, totals: { state: { detached: 1 } } })
  expect(await countOf('vpc')).toEqual({ kind: 'vpc', totalItems: 1, totals: {} })
  expect(await countOf('floating-ip')).toMatchObject({ totalItems: 0 })
})

it('says what the project uses, what the silo uses, and its quota', async () => {
  await w.as('admin').projectCreate({ body: { name: 'other', description: '' } })
  await makeDisk('data')
  await makeDisk('more', 'other')
  const { provisioned, siloProvisioned, siloCapacity } = await overview()
  expect(provisioned.storage).toBe(2 * GiB)
  const silo = await w.as('projectViewer').utilizationView({ query: {} })
  expect({ siloProvisioned, siloCapacity }).toEqual({
    siloProvisioned: silo.provisioned,
    siloCapacity: silo.capacity,
  })
  expect(siloProvisioned.storage).toBe(4 * GiB)
})

it('has the failures, with their reasons', async () => {
  await makeInstance('web')
  await makeInstance('db')
  await makeDisk('data')
  await w.settle()
  await forceRow(w, 'web', { runState: 'failed', lastError: 'no room' })
  await inDb(w, (tx) => tx.updateTable('disk').set({ state: 'faulted' }).where('name', '=', 'data').execute())
  expect((await overview()).failures).toMatchObject([
    { kind: 'instance', name: 'web', state: 'failed', message: 'no room' },
    { kind: 'disk', name: 'data', state: 'faulted', message: null },
  ])
})

it('has the schedules whose last run has failed, and the disks whose snapshot schedule fails', async () => {
  await w.as('admin').projectCreate({ body: { name: 'other', description: '' } })
  await makeDisk('data')
  const rule = { type: 'daily', time: '03:00' } as const
  for (const project of ['demo', 'other'])
    await w.as('admin').scheduleCreate({
      query: { project },
      body: { name: 'evening', description: '', action: 'stop', tag: 'env', rule },
    })
  await w.as('admin').diskSnapshotScheduleUpdate({
    params: { disk: 'data' },
    query: { project: 'demo' },
    body: { everyHours: 1, keep: 1 },
  })
  await w.settle()
  expect((await overview()).failures).toEqual([])
  await inDb(w, async (tx) => {
    await tx.updateTable('schedule').set({ failedSince: 1, lastError: 'it failed' }).execute()
    await tx.updateTable('snapshotSchedule').set({ failedSince: 1, lastError: 'no room' }).execute()
  })
  expect((await overview()).failures).toMatchObject([
    { kind: 'schedule', name: 'evening', state: 'failing', message: 'it failed' },
    { kind: 'disk', name: 'data', state: 'failing', message: 'its snapshot schedule fails: no room' },
  ])
})

it('is empty for a project without anything', async () => {
  expect(await overview()).toMatchObject({ failures: [], provisioned: { cpus: 0, memory: 0, storage: 0 } })
})
