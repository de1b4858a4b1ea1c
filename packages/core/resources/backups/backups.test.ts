import { afterEach, expect, it } from 'vitest'
import { withBackupLease } from '#/db/rows/backup-lease.ts'
import { blocks, importedDisk, storageOf } from '#/testing/storage.ts'
import { openWorld, type TestWorld, type Who, type WorldOptions } from '#/testing/world.ts'

const minute = 60_000
const hour = 60 * minute

let w: TestWorld
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

it('bytes stay during a backup and are removed after it, and there is one backup at a time', async () => {
  w = await openWorld()
  const { blobs, updates } = w.world
  const files = () => updates?.files.list() ?? Promise.resolve([])
  const hold = (holder: string, work: (requireHeld: () => Promise<void>) => Promise<unknown>) =>
    withBackupLease({ ...w.world, holder }, async (requireHeld) => {
      await work(requireHeld)
      return true
    })
  const upload = async () => {
    const body = { fileName: 'release.zip', size: 512 }
    const { id } = await w.as('fleetAdmin').systemUpdateUploadCreate({ body })
    await w.raw({
      method: 'PUT',
      url: `/v1/system/update/uploads/${id}/part?offset=0`,
      who: 'fleetAdmin',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(512),
    })
    return id
  }
  await importedDisk(w, 'disk', blocks(1))
  const uploadId = await upload()
  await hold('one', async (requireHeld) => {
    await storageOf(w).remove('disk')
    await w.as('fleetAdmin').systemUpdateUploadDelete({ params: { uploadId } })
    await w.advance(hour)
    expect(await blobs.list()).toHaveLength(1)
    expect(await files()).toEqual([uploadId])
    expect(await hold('two', () => Promise.resolve())).toBeUndefined()
    expect((await w.as('fleetAdmin').systemBackupFolderView({})).isUnderWay).toBe(true)
    // It was renewed during that hour.
    await requireHeld()
  })
  await w.advance(5 * minute)
  expect(await blobs.list()).toEqual([])
  expect(await files()).toEqual([])
  // One that was killed is taken over by the next one of the same folder; the stalled one is not whole.
  await expect(
    hold('one', (requireHeld) => hold('one', () => Promise.resolve()).then(requireHeld)),
  ).rejects.toThrow('bytes may have been removed')
})

it('scheduled backups are made once by one of several servers, and need attention if they fail or are overdue', async () => {
  let made = 0
  let failure: string | undefined
  let isUnreadable = false
  const backups: WorldOptions['backups'] = {
    everyMs: hour,
    folder: '/mnt/backups',
    keep: 7,
    list: (most) => {
      if (isUnreadable) return Promise.reject(new Error('EACCES'))
      const all = Array.from({ length: made }, (_, i) => ({ id: `backup ${i + 1}`, timeMade: i, size: 1 }))
      return Promise.resolve(all.toReversed().slice(0, most))
    },
    make: () => {
      if (failure !== undefined) return Promise.reject(new Error(failure))
      return Promise.resolve({ id: `backup ${++made}`, bytes: 1, newBytes: 1 })
    },
  }
  const options: WorldOptions = { backups }
  w = await openWorld(options)
  await w.another()
  const found = async () => {
    await w.advance(minute)
    const { items } = await w.as('fleetAdmin').attentionList({ query: {} })
    return items.map(({ severity, kind, text }) => `${severity} ${kind}: ${text}`)
  }
  const status = async () => (await w.as('fleetAdmin').systemBackupView({})).schedule
  const start = async (who: Who = 'fleetAdmin') => {
    await w.as(who).systemBackupStart({})
    await w.settle()
  }
  await w.settle()
  expect(made).toBe(1)
  await expect(start('admin')).rejects.toMatchObject({ status: 403 })
  const first = { id: 'backup 1', size: 1, timeCompleted: new Date(w.clock.now()) }
  const due = new Date(w.clock.now() + hour)
  expect(await status()).toEqual({
    everyHours: 1,
    timeDue: due,
    isOverdue: false,
    last: first,
    failure: null,
  })
  const folder = (who: Who = 'fleetAdmin') => w.as(who).systemBackupFolderView({})
  expect(await folder()).toMatchObject({
    folder: '/mnt/backups',
    keep: 7,
    isUnderWay: false,
    items: [{ id: 'backup 1', timeMade: new Date(0), size: 1 }],
  })
  await expect(folder('admin')).rejects.toMatchObject({ status: 403 })
  isUnreadable = true
  await expect(folder()).rejects.toMatchObject({ status: 503 })
  expect(w.errors.splice(0)).toHaveLength(1)
  isUnreadable = false
  await w.jump(61 * minute)
  expect(made).toBe(2)
  expect(await found()).toEqual([])
  failure = 'the folder is full'
  await w.jump(hour)
  const failedSince = (await status())?.failure?.since
  const fails =
    'backup_failed: The scheduled backup fails: the folder is full. The last backup was made at 2026-01-02'
  expect(await found()).toEqual([expect.stringContaining(`warning ${fails}`)])
  await w.jump(61 * minute)
  expect(await found()).toEqual([expect.stringContaining(`critical ${fails}`)])
  expect(await status()).toMatchObject({ isOverdue: true, failure: { reason: failure, since: failedSince } })
  expect(w.errors.splice(0).length).toBeGreaterThan(1)
  failure = undefined
  await start()
  expect(made).toBe(3)
  expect(await found()).toEqual([])
  // A server makes none for long.
  backups.make = () => Promise.resolve(undefined)
  await w.jump(3 * hour)
  expect(await found()).toEqual([
    expect.stringContaining('critical backup_failed: The scheduled backup is overdue. The last backup was'),
  ])
  delete options.backups
  await w.restart()
  expect(await found()).toEqual([])
  expect(await folder()).toMatchObject({ folder: null, keep: null, items: [] })
  await expect(start()).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('--backup-to'),
  })
  expect(await status()).toBeNull()
})
