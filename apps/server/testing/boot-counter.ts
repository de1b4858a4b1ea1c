/** For tests of real machines: an instance whose guest writes how often it has booted. */
import { expect, vi } from 'vitest'
import type { Api } from './requests.ts'

const GiB = 2 ** 30
const query = { project: 'real' }
/** Names the instance. */
export const counter = { params: { instance: 'counter' }, query } as const

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

/** Makes the project, the disk and the instance, and returns its id. */
export async function startCounter(api: Api, type: 'none' | 'default'): Promise<string> {
  const named = (name: string) => ({ name, description: '' })
  await api.projectCreate({ body: named('real') })
  const disk = { params: { disk: 'counter' }, query }
  const diskSource = { type: 'importing_blocks', blockSize: 512 } as const
  await api.diskCreate({ query, body: { ...named('counter'), size: GiB, diskSource } })
  await api.diskBulkWriteImportStart(disk)
  await api.diskBlocksWrite({ ...disk, query: { ...query, offset: 0 }, body: bootCounter() })
  await api.diskBulkWriteImportStop(disk)
  await api.diskFinalizeImport({ ...disk, body: {} })
  const { id } = await api.instanceCreate({
    query,
    body: {
      ...named('counter'),
      ncpus: 1,
      memory: GiB,
      hostname: 'counter',
      networkInterfaces: { type },
      externalIps: [],
      bootDisk: { type: 'attach', name: 'counter' },
    },
  })
  return id
}

/** The latest output of the guest. */
export async function consoleOf(api: Api): Promise<string> {
  const { data } = await api.instanceSerialConsole({ ...counter, query: { ...query, mostRecent: 4096 } })
  return Buffer.from(data).toString('latin1')
}
/** Guests are emulated. */
export const patient = { timeout: 120_000, interval: 100 }
/** Waits for words of the guest. */
export const untilShown = (api: Api, words: string) =>
  vi.waitFor(async () => expect(await consoleOf(api)).toContain(words), patient)
