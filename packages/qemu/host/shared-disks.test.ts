import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { layerFile } from '@purlin/databases/layer-files'
import { db, web } from '@purlin/sleds/suite/suite-harness'
import { describe, expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { whyNoQemu } from '../testing/qemu.ts'
import { sharedFolder, smallSpec } from '../testing/shared-hosts.ts'

const patient = { timeout: 60_000, interval: 20 }

describe.skipIf(lacks(whyNoQemu))('hosts that share the disks', { timeout: 300_000 }, () => {
  it('never run two machines on one disk, nor one machine twice', async () => {
    const shared = sharedFolder()
    const [one, two] = [await shared.open('one'), await shared.open('two')]
    const [low, top] = [randomUUID(), randomUUID()].map((id) => ({ id, hasBytes: false }))
    const until = (at: typeof one, id: string, state: string) =>
      vi.waitFor(async () => expect(await at.host.inspect(id, at.sledId)).toMatchObject({ state }), patient)
    for (const [boot, layers] of [[low!], [top!, { ...low!, hasBytes: true }]].entries()) {
      await one.host.ensure(web, smallSpec(one.sledId, layers, { boot }))
      await until(one, web, 'running')
      for (const id of [db, web]) {
        await two.host.ensure(id, smallSpec(two.sledId, layers, { boot: boot + 1 }))
        await until(two, id, 'failed')
        expect(await two.host.inspect(id, two.sledId)).toMatchObject({
          reason: 'a disk is in use by another machine',
        })
        await two.host.remove(id, two.sledId, boot + 1)
      }
      expect(await one.host.inspect(web, one.sledId)).toMatchObject({ state: 'running', boot })
    }
    // The refused machines have left the tables of the one that runs.
    expect(existsSync(layerFile(shared.blobs, top!.id, 'qcow2'))).toBe(true)
    await one.host.remove(web, one.sledId, 1)
    await vi.waitFor(async () => expect(await one.host.inspect(web, one.sledId)).toBeNull(), patient)
    expect(existsSync(layerFile(shared.blobs, top!.id, 'qcow2'))).toBe(false)
    await shared.close()
  })
})
