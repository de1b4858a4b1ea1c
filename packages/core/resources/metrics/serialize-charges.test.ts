import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withoutRequest } from '#/context.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { charge } from '../silos/quotas.ts'
import { charges } from './serialize-charges.ts'

let w: TestWorld
beforeEach(async () => (w = await openWorld()))
afterEach(() => w.close())

it('whether a request charges depends on its operation, and with some on its body', () => {
  const disk = { type: 'create' as const, name: 'boot' }
  const body = { bootDisk: null, disks: [] as (typeof disk)[] }
  expect(charges('diskCreate', {})).toBe(true)
  expect(charges('diskView', {})).toBe(false)
  expect(charges('instanceDelete', { query: {} })).toBe(false)
  expect(charges('instanceDelete', { query: { withDisks: 'boot' } })).toBe(true)
  expect(charges('instanceCreate', { body })).toBe(false)
  expect(charges('instanceCreate', { body: { ...body, bootDisk: disk } })).toBe(true)
  expect(charges('instanceCreate', { body: { ...body, disks: [disk] } })).toBe(true)
  const fetched = { source: { type: 'url' } }
  expect(charges('imageImportCreate', { body: fetched })).toBe(false)
  expect(charges('imageImportCreate', { body: { source: { type: 'upload' } } })).toBe(true)
  expect(charges('diskFinalizeImport', { body: {} })).toBe(false)
  expect(charges('diskFinalizeImport', { body: { snapshotName: 'first' } })).toBe(true)
})

it('a request whose operation is not among those that charge cannot charge', async () => {
  const { engine, clock } = w.world
  const project = w.ids['demo'] ?? ''
  const at = { id: 'charged', projectId: project, siloId: w.ids['acme'] ?? '' }
  const attempt = (mayCharge: boolean) =>
    engine.transaction('write', async (tx) => {
      const { unit } = withoutRequest(tx)
      unit.mayCharge = mayCharge
      await charge({ tx, now: clock.now(), unit }, at, { storage: -GiB })
    })
  await expect(attempt(false)).rejects.toThrow('the operation charges')
  await expect(attempt(true)).resolves.toBeUndefined()
})
