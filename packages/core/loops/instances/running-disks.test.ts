import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SledDriver, VmLayers } from '#/ports.ts'
import { altered, endingWhen, instancesOf, rowOf, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { storageOf } from '#/testing/storage.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
let of: ReturnType<typeof storageOf>
beforeEach(async () => {
  w = await openWorld({ timings: swift })
  vm = instancesOf(w)
  of = storageOf(w)
  await of.make('disk', { type: 'blank', blockSize: 512 })
  await vm.create('web', { bootDisk: { type: 'attach', name: 'disk' }, autoRestartPolicy: 'never' })
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const second = 1000
const state = async (name = 'snap') => (await of.viewSnapshot(name)).state
const running = async () => {
  await vm.start('web')
  await w.advance(200)
  const row = await rowOf(w, 'web')
  expect(row.runState).toBe('running')
  return row
}
/** Holds the switches of machines until the returned function is called. */
const holdSwitches = () => {
  const held = Promise.withResolvers<void>()
  const setLayers = w.sleds.setLayers.bind(w.sleds)
  w.sleds.setLayers = async (...args) => {
    await held.promise
    await setLayers(...args)
  }
  return async () => {
    held.resolve()
    await w.settle()
  }
}
/** Machines are never switched. */
const refuseSwitches = () => {
  w.sleds.setLayers = () => Promise.resolve()
}
const writesTo = async () => {
  const { id, sledId } = await rowOf(w, 'web')
  return (await w.sleds.inspect(id, sledId ?? ''))?.storage
}

describe('a snapshot of a disk that a guest writes to', () => {
  it('is being created, and no source, until the guest writes to the layer above', async () => {
    const { id: instance } = await running()
    const release = holdSwitches()
    const { id, state: first } = await of.snapshot('snap', 'disk')
    expect(first).toBe('creating')
    await w.quiet()
    expect(await state()).toBe('creating')
    for (const attempt of [
      () => of.make('copy', { type: 'snapshot', snapshotId: id }),
      () => of.image('image', id),
    ])
      await expect(attempt()).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(
          /^cannot create (disk|image) from snapshot in state creating$/,
        ) as string,
      })
    await release()
    expect(await state()).toBe('ready')
    await of.make('copy', { type: 'snapshot', snapshotId: id })
    expect(await rowOf(w, 'web')).toMatchObject({ id: instance, storage: 1, storageConfirmed: 1 })
  })

  it('switches all disks of the machine to their newest layers', async () => {
    await of.make('data', { type: 'blank', blockSize: 512 })
    await vm.attach('web', 'data')
    await running()
    const switched: Parameters<SledDriver['setLayers']>[2][] = []
    const setLayers = w.sleds.setLayers.bind(w.sleds)
    w.sleds.setLayers = (id, sledId, to) => (switched.push(to), setLayers(id, sledId, to))
    await of.snapshot('snap', 'data')
    await w.settle()
    const ids = await inDb(w, (tx) =>
      tx.selectFrom('disk').select(['id', 'layerId']).orderBy('slot').execute(),
    )
    expect(switched).toMatchObject([{ boot: 1, storage: 1, disks: ids.map(({ id }) => ({ id })) }])
    expect(switched[0]?.disks.map(({ layers }) => layers[0]?.id ?? null)).toEqual(
      ids.map(({ layerId }) => layerId),
    )
  })

  it('can be deleted while it is being created, and later ones become ready', async () => {
    await running()
    const release = holdSwitches()
    await of.snapshot('snap', 'disk')
    await of.snapshot('next', 'disk')
    await of.removeSnapshot('snap')
    expect(await state('next')).toBe('creating')
    await release()
    await w.advance(second)
    expect(await state('next')).toBe('ready')
  })

  it('becomes ready when fifty are taken in a row', async () => {
    await running()
    const names = Array.from({ length: 50 }, (_, i) => `snap-${i}`)
    for (const name of names) await of.snapshot(name, 'disk')
    await w.advance(second)
    for (const name of names) expect([name, await state(name)]).toEqual([name, 'ready'])
    expect(await writesTo()).toBe(50)
  })

  it.each<[string, (id: string) => unknown]>([
    ['fails', (id) => w.sleds.crash(id, 'smoke')],
    ['is lost', (id) => w.sleds.forget(id)],
    ['is shut down by its guest', (id) => w.sleds.guestShutdown(id)],
    ['is stopped', () => vm.stop('web')],
  ])('is ready if the machine %s before it was switched', async (_, end) => {
    const { id } = await running()
    refuseSwitches()
    await of.snapshot('snap', 'disk')
    await w.settle()
    expect(await state()).toBe('creating')
    await end(id)
    await w.advance(31 * second)
    expect((await rowOf(w, 'web')).sledId).toBeNull()
    expect(await state()).toBe('ready')
    await of.make('copy', { type: 'snapshot', snapshotId: (await of.viewSnapshot('snap')).id })
  })

  it('waits for a sled that does not answer', async () => {
    const { sledId } = await running()
    w.sleds.loseSled(sledId ?? '')
    await of.snapshot('snap', 'disk')
    await w.advance(31 * second)
    expect(await state()).toBe('creating')
    w.sleds.restoreSled(sledId ?? '')
    await w.advance(60 * second)
    expect(await state()).toBe('ready')
  })

  it('that is taken while the machine starts or moves is ready soon after', async () => {
    const ensure = w.sleds.ensure.bind(w.sleds)
    w.sleds.ensure = async (id, spec) => {
      w.sleds.ensure = ensure
      // After the layers for its disks were read.
      await of.snapshot('at-start', 'disk')
      await ensure(id, spec)
    }
    await vm.start('web')
    await w.advance(second)
    expect(await state('at-start')).toBe('ready')
    const { sledId } = await rowOf(w, 'web')
    await w.as('fleetAdmin').sledMaintenanceStart({ params: { sledId: sledId ?? '' }, body: {} })
    await w.settle()
    expect((await rowOf(w, 'web')).runState).toBe('migrating')
    await of.snapshot('on-the-way', 'disk')
    await w.advance(second)
    expect((await rowOf(w, 'web')).sledId).not.toBe(sledId)
    expect(await state('on-the-way')).toBe('ready')
    expect(await writesTo()).toBe(2)
  })
})

const calls = [0, 1, 2, 3]
it.each([...calls.map((n) => [n, 'snapshot'] as const), ...calls.map((n) => [n, 'larger size'] as const)])(
  'a server that ends after %d calls of a switch for a %s leaves it to another one',
  async (n, act) => {
    await running()
    await w.plane.loops.stop()
    const sizes: (number | undefined)[] = []
    const setLayers = w.sleds.setLayers.bind(w.sleds)
    w.sleds.setLayers = async (id, sledId, to) => {
      await setLayers(id, sledId, to)
      sizes.push(to.disks[0]?.size)
    }
    let made = 0
    const sleds = endingWhen(() => ++made > n, w.sleds)
    const ending = await w.another({
      ...sleds,
      watch: (onChange) => w.sleds.watch((status) => void (made <= n && onChange(status))),
    })
    const other = w.as('projectCollaborator')
    const query = { project: 'demo' }
    if (act === 'snapshot')
      await other.snapshotCreate({ query, body: { name: 'snap', description: '', disk: 'disk' } })
    else await other.diskUpdate({ query, params: { disk: 'disk' }, body: { size: 64 * GiB } })
    await w.advance(31 * second)
    await ending.plane.loops.stop()
    w.errors.length = 0
    await w.another()
    await w.advance(61 * second)
    if (act === 'snapshot') expect(await state()).toBe('ready')
    else expect(sizes.at(-1)).toBe(64 * GiB)
    expect(await writesTo()).toBe(1)
    expect(await rowOf(w, 'web')).toMatchObject({ runState: 'running', boot: 1, storageConfirmed: 1 })
  },
)

it('layers have bytes that must exist from the moment that the guest writes to them', async () => {
  const marks = () =>
    inDb(w, async (tx) => {
      const rows = await tx.selectFrom('layer').select('hasBytes').execute()
      return rows.map(({ hasBytes }) => hasBytes ?? 0).toSorted((a, b) => a - b)
    })
  const write = async (disks: VmLayers['disks']) => {
    for (const { layers } of disks) await w.world.blobs.write(layers, 0, new Uint8Array(512).fill(1))
  }
  const before: number[][] = []
  const keeping = altered(w.sleds, {
    keepsBytes: () => true,
    ensure: async (id, spec) => {
      await write(spec.disks)
      await w.sleds.ensure(id, spec)
    },
    setLayers: async (id, sledId, to) => {
      before.push(await marks())
      await write(to.disks)
      await w.sleds.setLayers(id, sledId, to)
    },
  })
  await w.plane.loops.stop()
  await w.another(keeping)
  await vm.start('web')
  await w.advance(31 * second)
  expect(await marks()).toEqual([1])
  await of.snapshot('snap', 'disk')
  await w.advance(31 * second)
  expect(before).toEqual([[0, 1]])
  expect(await marks()).toEqual([1, 1])
})
