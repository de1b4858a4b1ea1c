/** Entries name what an act was done to, and what it was done with. */
import { sentenceText } from '@purlin/contract/rules/audit/deeds'
import { GiB } from '@purlin/contract/rules/limits'
import { deedOfLast, lastEntry } from '#/testing/audit/last-entry.ts'
import { instancesOf, swift } from '#/testing/machines.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld({ timings: swift })
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
const me = () => w.as('projectCollaborator')
const sentence = () => deedOfLast(w)
const makeDisk = (name: string) =>
  me().diskCreate({
    query,
    body: { name, description: '', size: GiB, diskSource: { type: 'blank', blockSize: 512 } },
  })

it('an entry of a disk that was rolled back names the snapshot, also with one that was made before', async () => {
  await makeDisk('data')
  expect(await sentence()).toBe('created disk data')
  await me().snapshotCreate({ query, body: { name: 'monday', description: '', disk: 'data' } })
  const rollBack = (snapshotBefore?: string) =>
    me().diskRollBack({
      params: { disk: 'data' },
      query,
      body: { snapshot: 'monday', ...(snapshotBefore === undefined ? {} : { snapshotBefore }) },
    })
  await rollBack()
  expect(await sentence()).toBe('rolled disk data back to monday')
  await rollBack('before')
  expect(await sentence()).toBe('rolled disk data back to monday and 1 more')
})

it('an entry of an instance that was rolled back names that snapshot, and is found at the instance and its disks', async () => {
  await makeDisk('root')
  await instancesOf(w).create('web', { disks: [{ type: 'attach', name: 'root' }] })
  await me().instanceSnapshotCreate({
    query: { ...query, instance: 'web' },
    body: { name: 'monday', description: '' },
  })
  await me().instanceSnapshotRollBack({
    params: { instanceSnapshot: 'monday' },
    query: { ...query, instance: 'web' },
    body: { snapshotBefore: 'before' },
  })
  expect(await sentence()).toContain('rolled web back to instance snapshot monday')
  const objects = (await lastEntry(w))?.objects ?? []
  expect(objects.map(({ nameAfter }) => nameAfter)).toEqual(
    expect.arrayContaining(['monday', 'web', 'root', 'before']),
  )
})

it('an entry of a run names its schedule, and one of a task says what it does', async () => {
  await instancesOf(w).create('web')
  const { id } = await me().instanceView({ params: { instance: 'web' }, query })
  await me().scheduleCreate({
    query,
    body: {
      name: 'evening',
      description: '',
      action: 'start',
      instances: ['web'],
      rule: { type: 'daily', time: '19:00' },
    },
  })
  await me().scheduleRun({ params: { schedule: 'evening' }, query })
  const task = await me().taskCreate({ body: { kind: 'instance', action: 'protect', ids: [id] } })
  await me().taskCancel({ params: { task: task.id } })
  // The items of the task have entries, too.
  const { items } = await w.as('fleetAdmin').auditLogList({
    query: { startTime: new Date('2026-01-01T00:00:00Z'), sortBy: 'time_and_id_descending' },
  })
  const sentences = items.map(sentenceText)
  expect(sentences).toContain('ran schedule evening')
  expect(sentences).toContain('started task: protect 1 instance')
  expect(sentences).toContain('cancelled task: protect 1 instance')
})

it('an entry of prices says which have changed', async () => {
  const none = { currency: null, cpuHour: null, memoryGibHour: null, storageGibHour: null, addressHour: null }
  const prices = { ...none, currency: 'EUR', cpuHour: '0.018' }
  await w.as('fleetAdmin').usagePricesUpdate({ body: prices })
  expect(await sentence()).toBe(
    'edited usage prices (changed the currency from none to EUR, changed the vCPU hour from none to 0.018)',
  )
  await w.as('fleetAdmin').usagePricesUpdate({ body: { ...prices, cpuHour: '0.02' } })
  expect(await sentence()).toBe('changed the vCPU hour of usage prices from 0.018 to 0.02')
})

it('an entry of an image that left the silo calls it one of the silo', async () => {
  await makeDisk('base')
  const snapshot = await me().snapshotCreate({ query, body: { name: 'base', description: '', disk: 'base' } })
  await me().imageCreate({
    query,
    body: {
      name: 'base',
      description: '',
      os: 'linux',
      version: '1',
      source: { type: 'snapshot', id: snapshot.id },
    },
  })
  const admin = w.as('admin')
  await admin.imagePromote({ params: { image: 'base' }, query })
  expect(await sentence()).toBe('promoted image base')
  await admin.imageDemote({ params: { image: 'base' }, query })
  expect(await sentence()).toBe('demoted silo image base')
})

it('an entry of an access token has its name, and not that of its user besides', async () => {
  const { id } = await me().currentUserAccessTokenCreate({ body: { name: 'laptop' } })
  expect(await sentence()).toBe('created access token laptop')
  await me().currentUserAccessTokenDelete({ params: { tokenId: id } })
  expect(await sentence()).toBe('deleted access token laptop')
})
