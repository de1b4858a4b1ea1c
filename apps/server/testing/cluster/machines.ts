/** Real machines in a cluster: their processes, and a guest that notices whatever happens to its disk behind its back. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GiB } from '@purlin/contract/rules/limits'
import { systemCodeOf } from '@purlin/databases/error-codes'
import { findMachine } from '@purlin/qemu/machine/launch'
import type { Api } from '../requests.ts'
import { project } from '../faults/site.ts'
import type { Cluster } from './cluster.ts'

/**
 * A boot sector for firmware: it writes `b`, then at each tick of the clock, 18 times a second, it reads the number in the second sector of its disk,
 * which must be the one that it remembers, adds one, writes it, and prints a dot. Another number was written by another machine with the same
 * disk, or what it has written is lost: it prints `!` and stands still. It powers off when the power button is pressed.
 */
function diskWriter(): Uint8Array {
  const code = [
    // Segments and stack; the firmware has left the number of the disk in DL. The power button sets its bit.
    '31c0 8ed8 8ec0 8ed0 bc007c fb 8816007e ba0206 b80001 ef',
    // Prints `b`, reads the sector to 8000h, and remembers the number at 7E04h.
    'b062 e86100 b80102 e84c00 66a10080 66a3047e',
    // Waits for the clock. Off, if the power button was pressed.
    'f4 ba0006 ed f6c401 7530',
    // Reads the sector again, and compares.
    'b80102 e83400 66a10080 663b06047e 7517',
    // Adds one, remembers and writes it, prints a dot, and goes on.
    '6640 66a30080 66a3047e b80103 e81900 b02e e82300 ebce',
    // Prints `!` and stands still.
    'b021 e81c00 f4 ebfd',
    'ba0406 b80020 ef f4 ebf3',
    // Reads or writes the sector, and prints a character to the first serial port.
    'bb0080 b90200 8a16007e b600 cd13 c3',
    'baf803 ee c3',
  ]
  const sectors = Buffer.alloc(1024)
  sectors.write(code.join('').replaceAll(' ', ''), 'hex')
  sectors.writeUInt16LE(0xaa55, 510)
  return sectors
}

/** Makes instances whose guests write to their disks, in a project. Returns their ids. */
export async function makeWriters(api: Api, count: number): Promise<string[]> {
  const query = { project }
  await api.projectCreate({ body: { name: project, description: '' } })
  const make = async (name: string) => {
    const named = { name, description: '' }
    const disk = { params: { disk: name }, query }
    const diskSource = { type: 'importing_blocks', blockSize: 512 } as const
    await api.diskCreate({ query, body: { ...named, size: GiB, diskSource } })
    await api.diskBulkWriteImportStart(disk)
    await api.diskBlocksWrite({ ...disk, query: { ...query, offset: 0 }, body: diskWriter() })
    await api.diskBulkWriteImportStop(disk)
    await api.diskFinalizeImport({ ...disk, body: {} })
    const size = { ncpus: 1, memory: GiB, hostname: name }
    const networkInterfaces = { type: 'none' } as const
    const bootDisk = { type: 'attach', name } as const
    return api.instanceCreate({ query, body: { ...named, ...size, networkInterfaces, bootDisk } })
  }
  const made = await Promise.all(Array.from({ length: count }, (_, i) => make(`writer-${i}`)))
  return made.map(({ id }) => id)
}

/** All that the guest of an instance has printed since it has booted. */
export async function printed(api: Api, instance: string): Promise<string> {
  const { data } = await api.instanceSerialConsole({ params: { instance }, query: { fromStart: 0 } })
  return Buffer.from(data).toString('latin1')
}

/** How many processes of all hosts run a machine, or would. */
export async function processesOf({ hosts }: Cluster, instance: string): Promise<number> {
  const found = await Promise.all(hosts.map(({ folder }) => findMachine(join(folder, 'qemu', instance))))
  return found.filter((one) => one !== undefined).length
}

/** Ends the processes that have a path in a folder among their arguments: machines outlive their host. */
export function endProcessesOf(folder: string): void {
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger))
    try {
      if (pid !== process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder))
        process.kill(pid, 'SIGKILL')
    } catch (error) {
      // It has ended since.
      if (!['ENOENT', 'ESRCH'].includes(systemCodeOf(error) ?? '')) throw error
    }
}
