import type { VmLayers, VmSpec } from '@purlin/core/ports'
import { expect } from 'vitest'
import { exampleSpec, follow, running, untilState, web, type Rule } from './suite-harness.ts'

/** Another empty layer above those of each disk. */
export const above = ({ boot, disks }: VmSpec, storage: number): VmLayers => ({
  boot,
  storage,
  disks: disks.map(({ id, layers }) => ({
    id,
    layers: [{ id: `${id.slice(0, -4)}${String(9000 + storage)}`, hasBytes: false }, ...layers],
  })),
})

/** The rules for new top layers of the disks of a running machine. */
export function layerRules(rule: Rule) {
  rule('new top layers and sizes are reported once the guest has them', async (h) => {
    const spec = await running(h)
    const { seen } = follow(h)
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ storage: 0 })
    await h.driver.setLayers(web, spec.sledId, above(spec, 1))
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ storage: 1, state: 'running' })
    await h.advance(1)
    expect(seen.at(-1)).toMatchObject({ storage: 1, boot: 1, state: 'running' })
    const { disks, ...larger } = above(spec, 1)
    const sizes = disks.map((disk, i) => ({ ...disk, size: 2 * (spec.disks[i]?.size ?? 0) }))
    await h.driver.setLayers(web, spec.sledId, { ...larger, storage: 2, disks: sizes })
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ storage: 2, state: 'running' })
  })

  rule('all disks of a machine get new top layers in one switch, and again in the next', async (h) => {
    const [first] = exampleSpec('').disks
    if (!first) throw new Error('the example has a disk')
    const second = { ...first, id: first.id.replace('0c', '1c'), name: 'web-data', slot: 1 }
    const spec = await running(h, web, { disks: [first, second] })
    const { seen } = follow(h)
    const once = above(spec, 1)
    await h.driver.setLayers(web, spec.sledId, once)
    await h.advance(1)
    const disks = spec.disks.map((disk, i) => ({
      ...disk,
      layers: (once.disks[i]?.layers ?? []).map((layer) => ({ ...layer, hasBytes: true })),
    }))
    await h.driver.setLayers(web, spec.sledId, above({ ...spec, disks }, 2))
    await h.advance(1)
    expect(seen.map(({ storage, state }) => [storage, state])).toEqual([
      [1, 'running'],
      [2, 'running'],
    ])
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ storage: 2, state: 'running' })
  })

  rule('the same and older layers, and those of another boot, change nothing', async (h) => {
    const spec = await running(h, web, { boot: 2, storage: 3 })
    const { seen } = follow(h)
    for (const to of [above(spec, 3), above(spec, 2), above({ ...spec, boot: 1 }, 4)])
      await h.driver.setLayers(web, spec.sledId, to)
    await h.driver.setLayers(web, spec.sledId, above({ ...spec, boot: 3 }, 4))
    await h.advance(h.maxWaitMs)
    expect(seen).toEqual([])
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ storage: 3 })
  })

  rule('a reset keeps the layers', async (h) => {
    const spec = await running(h)
    await h.driver.setLayers(web, spec.sledId, above(spec, 1))
    await h.driver.ensure(web, { ...spec, reset: 1 })
    await untilState(h, web, spec.sledId, 'running')
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ reset: 1, storage: 1 })
  })

  rule('a machine that has ended keeps the layers that it wrote to', async (h) => {
    const spec = await running(h)
    await h.crash(web, 'out of luck')
    await untilState(h, web, spec.sledId, 'failed')
    await h.driver.setLayers(web, spec.sledId, above(spec, 1))
    expect(await h.driver.inspect(web, spec.sledId)).toMatchObject({ state: 'failed', storage: 0 })
  })
}
