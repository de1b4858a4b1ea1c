import { whyNoQemu } from '@purlin/qemu/testing/qemu'
import { findMachine } from '@purlin/qemu/machine/launch'
import { killProcess } from '@purlin/qemu/machine/process'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { counter, patient, startCounter, untilShown } from '../testing/boot-counter.ts'
import { killAll, newFolder } from '../testing/children.ts'
import { serve } from '../testing/process.ts'
import { signIn } from '../testing/requests.ts'
import { readHostConfig } from './host-flags.ts'
import { startHost } from './host.ts'

const [shared, own, other] = [newFolder(), newFolder(), newFolder()]
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
let id = ''

const processOf = () => findMachine(join(own.path, 'qemu', id))

afterAll(async () => {
  const process = await processOf()
  if (process) await killProcess(process)
  killAll()
  for (const folder of [shared, own, other]) folder.remove()
})

it.skipIf(lacks(whyNoQemu))(
  'an instance boots on a host that shares the disks of the server, and outlives that host',
  { timeout: 300_000 },
  async () => {
    const server = await serve({ folder: shared.path })
    const { api } = await signIn(server.url)
    const start = (disks: string, ...more: string[]) => {
      const config = readHostConfig(['--machines', 'qemu', '--disks', disks, '--data-dir', own.path, ...more])
      if (!config) throw new Error('these flags ask for help')
      return startHost(config, log)
    }
    const { code } = await api.hostJoinCodeCreate({ body: {} })
    const place = ['--listen', '127.0.0.1:0']
    await expect(start(other.path, '--join', code, ...place)).rejects.toThrow('the disks of the fleet')
    let host = await start(shared.path)
    const found = await vi.waitFor(async () => {
      const [first] = (await api.sledListUninitialized({ query: {} })).items
      if (!first) throw new Error('no sled yet')
      return first.baseboard
    }, patient)
    const { id: sledId } = await api.sledAdd({ body: { part: found.part, serial: found.serial } })
    for (const sled of (await api.sledList({ query: {} })).items)
      if (sled.id !== sledId)
        await api.sledSetProvisionPolicy({
          params: { sledId: sled.id },
          body: { state: 'non_provisionable' },
        })
    id = await startCounter(api, 'none')
    await untilShown(api, 'boots: 1\n')

    await host.stop()
    expect(await processOf()).toBeDefined()
    host = await start(shared.path)
    await untilShown(api, 'boots: 1\n')
    await api.instanceReboot(counter)
    await untilShown(api, 'boots: 2\n')
    await host.stop()
    await server.stop()
  },
)
