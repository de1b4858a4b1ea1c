import { findQemu } from '@purlin/qemu/testing/qemu'
import { findProcess, killProcess } from '@purlin/qemu/machine/process'
import { qmpOption } from '@purlin/qemu/machine/arguments'
import { openKernel, placeOf } from '@purlin/netns/privileged/open'
import { whyNoNetworks } from '@purlin/netns/testing/packets'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { killAll, newFolder } from '../testing/children.ts'
import { serve, type ServerProcess } from '../testing/process.ts'
import { signIn, type Api } from '../testing/requests.ts'

const folder = newFolder()
const GiB = 2 ** 30
const query = { project: 'real' }
const params = { instance: 'counter' }
let id = ''

/**
 * A boot sector for firmware: it adds one to the first byte of the second sector of its disk, and writes how often it has booted to
 * the serial port.
 */
function bootCounter(): Uint8Array {
  const code = [
    // Segments and stack; the firmware has left the number of the disk in DL.
    '31c0 8ed8 8ec0 8ed0 bc007c',
    // Reads the second sector to 8000h, adds one, and writes it.
    'b80102 bb0080 b90200 b600 cd13 fe060080 b80103 bb0080 b90200 b600 cd13',
    // Writes the text, the digit and the end of the line to the first serial port.
    'be487c ac 84c0 7406 baf803 ee ebf5 a00080 0430 baf803 ee b00a ee',
    'f4 ebfd',
  ]
  const sector = Buffer.alloc(1024)
  sector.write(code.join('').replaceAll(' ', ''), 'hex')
  sector.write('boots: ', 0x48, 'latin1')
  sector.writeUInt16LE(0xaa55, 510)
  return sector
}

const hasNetworks = whyNoNetworks() === false
const start = () => serve({ folder: folder.path, args: ['--machines', 'qemu'] })

async function consoleOf(api: Api): Promise<string> {
  const { data } = await api.instanceSerialConsole({ params, query: { ...query, mostRecent: 4096 } })
  return Buffer.from(data).toString('latin1')
}
const patient = { timeout: 120_000, interval: 100 }
const untilShown = (api: Api, words: string) =>
  vi.waitFor(async () => expect(await consoleOf(api)).toContain(words), patient)

afterAll(async () => {
  const place = await placeOf(folder.path)
  const process = await findProcess(
    qmpOption(join(folder.path, 'qemu', id, 'qmp')),
    join(folder.path, 'qemu', id),
  )
  if (process) await killProcess(process)
  killAll()
  // Networks outlive the server as well.
  if (hasNetworks) await (await openKernel({ place, owner: 0, external: [] })).clear()
  folder.remove()
})

it.skipIf(!findQemu())(
  'an imported disk boots, keeps its bytes, and its guest outlives the server',
  { timeout: 300_000 },
  async () => {
    let server: ServerProcess = await start()
    expect(server.said()).toMatch(/Machines run with QEMU.*Networks of VPCs are/)
    let { api } = await signIn(server.url)
    const named = (name: string) => ({ name, description: '' })
    await api.projectCreate({ body: named('real') })
    const disk = { params: { disk: 'counter' }, query }
    const diskSource = { type: 'importing_blocks', blockSize: 512 } as const
    await api.diskCreate({ query, body: { ...named('counter'), size: GiB, diskSource } })
    await api.diskBulkWriteImportStart(disk)
    await api.diskBlocksWrite({ ...disk, query: { ...query, offset: 0 }, body: bootCounter() })
    await api.diskBulkWriteImportStop(disk)
    await api.diskFinalizeImport({ ...disk, body: {} })
    const instance = await api.instanceCreate({
      query,
      body: {
        ...named('counter'),
        ncpus: 1,
        memory: GiB,
        hostname: 'counter',
        networkInterfaces: { type: 'default' },
        externalIps: [],
        bootDisk: { type: 'attach', name: 'counter' },
      },
    })
    id = instance.id
    await vi.waitFor(
      async () => expect((await api.instanceView({ params, query })).runState).toBe('running'),
      patient,
    )
    await untilShown(api, 'boots: 1\n')
    const { networkMode } = await api.instanceView({ params, query })
    expect(networkMode).toBe(hasNetworks ? 'enforced' : 'outbound')

    server.signal('SIGKILL')
    await server.ended
    server = await start()
    ;({ api } = await signIn(server.url))
    await untilShown(api, 'boots: 1\n')
    await api.instanceReboot({ params, query })
    await untilShown(api, 'boots: 2\n')
    expect(await consoleOf(api)).toContain('boots: 1\n')

    const process = await findProcess(
      qmpOption(join(folder.path, 'qemu', id, 'qmp')),
      join(folder.path, 'qemu', id),
    )
    expect(process).toBeDefined()
    if (process) await killProcess(process)
    // The policy for failed instances starts it again.
    await untilShown(api, 'boots: 3\n')
    await server.stop()
  },
)
