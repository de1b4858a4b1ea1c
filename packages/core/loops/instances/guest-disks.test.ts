import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { altered, instancesOf, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
/** Any error line that does not match it fails the test. */
let expectsError: RegExp
beforeEach(async () => {
  w = await openWorld({ timings: swift })
  vm = instancesOf(w)
  expectsError = /^$/
})
afterEach(async () => {
  expect(w.errors.filter((line) => !expectsError.test(line))).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const second = 1000
const state = async () => (await vm.view('web')).runState

describe('guests that write to the layers of their disks', () => {
  const layersOf = (name: string) =>
    inDb(w, (tx) =>
      tx
        .selectFrom('disk')
        .innerJoin('layer', 'layer.id', 'disk.layerId')
        .select(['layer.id', 'hasBytes'])
        .where('disk.name', '=', name)
        .execute(),
    )

  it('have one on each disk, whose bytes must exist once the machine has been reported', async () => {
    const written: string[] = []
    const keeping = altered(w.sleds, {
      keepsBytes: () => true,
      ensure: async (id, spec) => {
        for (const { layers } of spec.disks) {
          written.push(layers[0]?.id ?? '')
          await w.world.blobs.write(layers, 0, new Uint8Array(512).fill(1))
        }
        await w.sleds.ensure(id, spec)
      },
    })
    await w.plane.loops.stop()
    await w.another(keeping)
    const { id } = await vm.makeDisk('boot')
    await vm.create('web', { bootDisk: { type: 'attach', name: 'boot' }, autoRestartPolicy: 'never' })
    expect(await layersOf('boot')).toEqual([])
    await vm.start('web')
    await w.advance(31 * second)
    expect(await state()).toBe('running')
    const [layer] = await layersOf('boot')
    expect(layer).toEqual({ id: written[0], hasBytes: 1 })
    expect((await w.as('projectViewer').diskView({ params: { disk: id }, query: {} })).state.state).toBe(
      'attached',
    )
    await vm.stop('web')
    await w.advance(31 * second)
    await vm.start('web')
    await w.advance(31 * second)
    expect(written).toEqual([layer?.id, layer?.id])
    await vm.stop('web')
    await w.advance(31 * second)
    await w.world.blobs.remove(layer?.id ?? '')
    expectsError = /bytes are missing/
    await vm.start('web')
    await w.advance(31 * second)
    expect(await vm.view('web')).toMatchObject({
      runState: 'failed',
      lastError: 'bytes of a disk are missing',
    })
  })
})
