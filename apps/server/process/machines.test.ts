import { whyNoQemu } from '@purlin/qemu/testing/qemu'
import { findMachine } from '@purlin/qemu/machine/launch'
import { killProcess } from '@purlin/qemu/machine/process'
import { openKernel, placeOf } from '@purlin/netns/privileged/open'
import { whyNoNetworks } from '@purlin/netns/testing/packets'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { consoleOf, counter, patient, startCounter, untilShown } from '../testing/boot-counter.ts'
import { killAll, newFolder } from '../testing/children.ts'
import { serve, type ServerProcess } from '../testing/process.ts'
import { signIn } from '../testing/requests.ts'

const folder = newFolder()
let id = ''

const hasNetworks = whyNoNetworks() === false
const start = () => serve({ folder: folder.path, args: ['--machines', 'qemu'] })

afterAll(async () => {
  const place = await placeOf(folder.path)
  const process = await findMachine(join(folder.path, 'qemu', id))
  if (process) await killProcess(process)
  killAll()
  // Networks outlive the server as well.
  if (hasNetworks) await (await openKernel({ place, owner: 0, external: [], reach: [] })).clear()
  folder.remove()
})

it.skipIf(lacks(whyNoQemu))(
  'an imported disk boots, keeps its bytes, and its guest outlives the server',
  { timeout: 300_000 },
  async () => {
    let server: ServerProcess = await start()
    expect(server.said()).toMatch(/Machines run with QEMU.*Networks of VPCs are/)
    let { api } = await signIn(server.url)
    id = await startCounter(api, 'default')
    await vi.waitFor(async () => expect((await api.instanceView(counter)).runState).toBe('running'), patient)
    await untilShown(api, 'boots: 1\n')
    const { networkMode } = await api.instanceView(counter)
    expect(networkMode).toBe(hasNetworks ? 'enforced' : 'outbound')

    server.signal('SIGKILL')
    await server.ended
    server = await start()
    ;({ api } = await signIn(server.url))
    await untilShown(api, 'boots: 1\n')
    await api.instanceReboot(counter)
    await untilShown(api, 'boots: 2\n')
    expect(await consoleOf(api)).toContain('boots: 1\n')

    const process = await findMachine(join(folder.path, 'qemu', id))
    expect(process).toBeDefined()
    if (process) await killProcess(process)
    // The policy for failed instances starts it again.
    await untilShown(api, 'boots: 3\n')
    await server.stop()
  },
)
