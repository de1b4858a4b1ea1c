/** Entries show what a change changed: the fields that kinds declare, with their values, and nothing else. */
import { GiB, limits } from '@purlin/contract/rules/limits'
import { objectsOf } from '#/audit/details.ts'
import { sequence } from '#/audit/sequence.ts'
import { instancesOf, swift } from '#/testing/machines.ts'
import { addFloatingIp, inDb } from '#/testing/networks/networks.ts'
import { deedOfLast, lastEntry } from '#/testing/audit/last-entry.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
beforeEach(async () => {
  w = await openWorld({ timings: swift })
  vm = instancesOf(w)
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const startTime = new Date('2026-01-01T00:00:00Z')
const query = { project: 'demo' }
const me = () => w.as('projectCollaborator')
const ofDisk = { params: { disk: 'data' }, query }
const ofInstance = (instance: string) => ({ params: { instance }, query })
const makeDisk = () =>
  me().diskCreate({
    query,
    body: {
      name: 'data',
      description: 'first',
      size: GiB,
      diskSource: { type: 'blank', blockSize: 512 },
    },
  })

const last = () => lastEntry(w)
const changesOf = async (type: string) => (await last())?.objects?.find((one) => one.type === type)?.changes
const sentence = () => deedOfLast(w)

it('an entry of an instance shows vCPUs, memory, boot disk, restart policy, and that the description changed', async () => {
  await vm.create('web-01')
  await vm.update('web-01', { ncpus: 4, memory: 8 * GiB, autoRestartPolicy: 'never' })
  expect(await changesOf('instance')).toEqual([
    { field: 'ncpus', before: '1', after: '4' },
    { field: 'memory', before: String(GiB), after: String(8 * GiB) },
    { field: 'auto_restart_policy', before: null, after: 'never' },
  ])
  await vm.update('web-01', { ncpus: 2 })
  expect(await sentence()).toBe('resized web-01 from 4 to 2 vCPUs')

  await makeDisk()
  await me().instanceDiskAttach({ ...ofInstance('web-01'), body: { disk: 'data' } })
  expect(await sentence()).toBe('attached disk data to web-01')
  await vm.update('web-01', { bootDisk: 'data' })
  expect(await sentence()).toBe('set the boot disk of web-01 to data')
  await vm.update('web-01', { bootDisk: null, name: 'web-02', description: 'a secret text' })
  expect(await sentence()).toBe(
    'edited instance web-02 (renamed from web-01 to web-02, unset the boot disk (data), changed the description)',
  )
  expect(JSON.stringify(await last())).not.toContain('a secret text')
  await me().instanceDiskDetach({ ...ofInstance('web-02'), body: { disk: 'data' } })
  expect(await sentence()).toBe('detached disk data from web-02')
})

it('an entry of a disk shows its size together with its name, in one place for growth and update', async () => {
  await makeDisk()
  await me().diskUpdate({ ...ofDisk, body: { size: 2 * GiB } })
  expect(await changesOf('disk')).toEqual([{ field: 'size', before: String(GiB), after: String(2 * GiB) }])
  expect(await sentence()).toBe('enlarged disk data from 1 to 2 GiB')
  await me().diskUpdate({ ...ofDisk, body: { size: 3 * GiB, description: 'other', name: 'data' } })
  expect(await changesOf('disk')).toEqual([
    { field: 'size', before: String(2 * GiB), after: String(3 * GiB) },
    { field: 'description' },
  ])
})

it('an entry of a floating IP shows the instances that it moved between', async () => {
  await vm.create('web-01')
  await vm.create('web-02')
  await addFloatingIp(w, 'front')
  const attach = (parent: string) =>
    me().floatingIpAttach({
      params: { floatingIp: 'front' },
      query,
      body: { kind: 'instance', parent, move: true },
    })
  await attach('web-01')
  expect(await sentence()).toBe('attached floating IP front to web-01')
  await attach('web-02')
  expect(await changesOf('floating-ip')).toEqual([{ field: 'instance', before: 'web-01', after: 'web-02' }])
  expect(await sentence()).toBe('moved floating IP front from web-01 to web-02')
  await me().floatingIpDetach({ params: { floatingIp: 'front' }, query })
  expect(await sentence()).toBe('detached floating IP front from web-02')
})

it('an entry of quotas and of machine sizes shows the amounts', async () => {
  const { siloQuotasView, siloQuotasUpdate, machineSizeCreate, machineSizeUpdate } = w.as('fleetAdmin')
  const { cpus } = await siloQuotasView({ params: { silo: 'acme' } })
  await siloQuotasUpdate({ params: { silo: 'acme' }, body: { cpus: Number(cpus) + 1 } })
  expect(await changesOf('silo')).toEqual([
    { field: 'quota_cpus', before: String(cpus), after: String(Number(cpus) + 1) },
  ])
  const size = { name: 'small', description: '', ncpus: 2, memory: GiB }
  await machineSizeCreate({ body: size })
  expect(await changesOf('machine-size')).toBeUndefined()
  await machineSizeUpdate({ params: { machineSize: 'small' }, body: { ncpus: 4 } })
  expect(await sentence()).toBe('changed machine size small from 2 to 4 vCPUs')
})

it('an entry of an update that changes nothing, or is refused, shows nothing', async () => {
  await makeDisk()
  await me().diskUpdate({ ...ofDisk, body: { description: 'first', size: GiB } })
  expect(await changesOf('disk')).toBeUndefined()
  expect(await sentence()).toContain('edited disk data')
  await expect(
    me().diskUpdate({ ...ofDisk, body: { size: 4096 * GiB, description: 'other' } }),
  ).rejects.toMatchObject({ status: 400 })
  expect((await last())?.result.kind).toBe('error')
  expect(await changesOf('disk')).toBeUndefined()
})

it('an entry shows viewers of the resource the same, and so does the file', async () => {
  const { id } = await makeDisk()
  await me().diskUpdate({ ...ofDisk, body: { size: 2 * GiB } })
  const { items } = await w
    .as('projectViewer')
    .resourceActivity({ query: { resource: `disk:${id}`, limit: 1 } })
  expect(items[0]?.objects).toEqual((await last())?.objects)
  const { text } = await w.raw({
    url: `/v1/system/audit-log/export?start_time=${startTime.toISOString()}&format=csv`,
    who: 'fleetAdmin',
  })
  expect(text).toContain(`disk ${id} data (enlarged from 1 to 2 GiB)`)
})

it('an entry of an earlier version is read as it was', async () => {
  const { id } = await makeDisk()
  await me().diskUpdate({ ...ofDisk, body: { size: 2 * GiB } })
  while (await sequence(w.world));
  const objects = [['disk', id, 'data', 'data']]
  await inDb(w, (tx) =>
    tx
      .updateTable('auditEntry')
      .set({ detailsJson: JSON.stringify({ uri: '/v1/disks/data', objects }) })
      .where('operation', '=', 'disk_update')
      .execute(),
  )
  expect((await last())?.objects).toEqual([{ type: 'disk', id, nameBefore: 'data', nameAfter: 'data' }])
  expect(await sentence()).toBe('edited disk data')
})

it('an entry has few changes of an object, with values of a limited length', () => {
  const changes = Array.from({ length: 20 }, (_, i) => ({
    field: `f${i}`,
    before: null,
    after: 'x'.repeat(1000),
  }))
  const { objects } = objectsOf([{ type: 'disk', id: '1', before: 'a', after: 'a', changes }])
  const kept = objects[0]?.[7] ?? []
  expect(kept).toHaveLength(limits.audit.changes)
  expect(kept[0]).toEqual(['f0', null, 'x'.repeat(limits.audit.value)])
})
