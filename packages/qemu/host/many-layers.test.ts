/** A disk with hundreds of layers starts, takes snapshots, grows, is taken over and moves. */
import { randomUUID } from 'node:crypto'
import type { Layer, VmSpec } from '@purlin/core/ports'
import { openBlobs } from '@purlin/databases/blobs-in-files'
import { extent } from '@purlin/databases/layer-files'
import { web } from '@purlin/sleds/suite/suite-harness'
import { describe, expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { sharedFolder, smallSpec, type SharedHost } from '../testing/shared-hosts.ts'
import { tinyGuest } from '../testing/tiny-guest.ts'
import { whyNoQemu } from '../testing/qemu.ts'

const patient = { timeout: 120_000, interval: 20 }
const count = 400
const size = (count + 8) * extent

const empty = (): Layer => ({ id: randomUUID(), hasBytes: false })
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe.skipIf(lacks(whyNoQemu))('a disk with 400 layers', { timeout: 300_000 }, () => {
  it('starts, takes a snapshot, grows, is taken over and moves, with the same bytes', async () => {
    const shared = sharedFolder()
    const arrivals = { host: '127.0.0.1', port: 0 }
    let one = await shared.open('one', { arrivals })
    const two = await shared.open('two', { arrivals })
    const blobs = openBlobs(shared.blobs)
    let layers: Layer[] = []
    for (let i = 0; i < count; i++) {
      layers = [empty(), ...layers]
      // The firmware reads the guest through all of them.
      await blobs.write(layers, i * extent, i === 0 ? tinyGuest() : Buffer.alloc(extent, (i % 250) + 1))
      layers = layers.map(({ id }) => ({ id, hasBytes: true }))
    }
    const bytes = await blobs.read(layers, 0, size)

    let spec: VmSpec = smallSpec(one.sledId, [empty(), ...layers], { memory: 32 * 1024 ** 2 })
    spec = { ...spec, disks: spec.disks.map((disk) => ({ ...disk, size })) }
    const reach = (at: SharedHost, state: string | undefined) =>
      vi.waitFor(async () => expect((await at.host.inspect(web, at.sledId))?.state).toBe(state), patient)
    const shown = async ({ host, sledId }: SharedHost) => {
      const chunk = await host.readConsole(web, sledId, { from: 0, max: 65_536 })
      return chunk === null || chunk === 'dropped' ? '' : text(chunk.data)
    }
    await one.host.ensure(web, spec)
    await reach(one, 'running')
    await vi.waitFor(async () => expect(await shown(one)).toContain('tiny guest'), patient)

    const change = async (at: SharedHost, storage: number, chain: readonly Layer[], grown: number) => {
      const disks = spec.disks.map(({ id }) => ({ id, layers: chain, size: grown }))
      await at.host.setLayers(web, at.sledId, { boot: spec.boot, storage, disks })
      expect(await at.host.inspect(web, at.sledId)).toMatchObject({ state: 'running', storage })
    }
    const chain = spec.disks[0]?.layers.map(({ id }) => ({ id, hasBytes: true })) ?? []
    const after = [empty(), ...chain]
    await change(one, 1, after, size)
    await change(one, 2, after, 2 * size)

    await one.host.close()
    one = await shared.open('one', { arrivals })
    await reach(one, 'running')
    const last = [empty(), ...after.map(({ id }) => ({ id, hasBytes: true }))]
    await change(one, 3, last, 2 * size)

    const migration = { id: randomUUID(), to: two.sledId, spec }
    const at = await two.host.receive?.(web, migration)
    await one.host.migrate(web, { ...migration, ...(at ? { at } : {}) })
    await reach(two, 'running')
    await reach(one, undefined)
    await change(two, 4, [empty(), ...last.map(({ id }) => ({ id, hasBytes: true }))], 2 * size)
    await two.host.remove(web, two.sledId, spec.boot)
    await reach(two, undefined)
    expect(Buffer.compare(await blobs.read(last, 0, size), bytes)).toBe(0)
    await shared.close()
  })
})
