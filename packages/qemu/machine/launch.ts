/** Starts QEMU for a boot of a machine. */
import { mkdir, writeFile } from 'node:fs/promises'
import { openLayers } from '../layers/layers.ts'
import { argumentsOf, qmpOption } from './arguments.ts'
import type { BoxContents } from './box.ts'
import { filesIn, layerFoldersOf, removeFolders, type MachineContext } from './context.ts'
import { linkFoldersIn, makeLinkFolders } from './disk-links.ts'
import {
  findProcess,
  killProcess,
  recallProcess,
  startProcess,
  untilEnded,
  type QemuProcess,
} from './process.ts'
import type { KeptRecord } from './record.ts'
import { writeSeed } from './seed.ts'

/** Makes the folder of the boot, in place of that of the boot before. */
export async function launch(
  id: string,
  record: KeptRecord,
  context: MachineContext,
): Promise<QemuProcess | undefined> {
  const { accelerator, network, kernel, program, clock, hasBoxes } = context
  const { spec } = record.value
  const folder = context.folderOf(id)
  // The record of a boot that nothing knows of could not be read.
  const left = await findMachine(folder)
  if (left) {
    await killProcess(left)
    await untilEnded(left, clock)
  }
  await removeFolders(id, context)
  const { seed, tables: _, log, run, ...sockets } = filesIn(folder)
  for (const one of [folder, run]) await mkdir(one, { recursive: true, mode: 0o700 })
  await record.save({})
  await makeLinkFolders(folder, context.linksOf(id), hasBoxes)
  const disks = []
  for (const disk of spec.disks) disks.push(await openLayers(layerFoldersOf(id, context), disk))
  await writeSeed(seed, id, spec)
  await writeFile(log, '', { mode: 0o600 })
  const args = argumentsOf({
    id,
    spec,
    accelerator,
    network:
      typeof network === 'string' ? network : await connecting(network.prepare(nicIdsOf(record)), context),
    disks,
    seed,
    sockets,
    consoleLog: log,
    kernel,
  })
  return startProcess({ program, args, folder, box: hasBoxes ? boxOf(id, context) : undefined })
}

/** The record of a machine is out of the reach of its QEMU: the server trusts it. */
function boxOf(id: string, { folderOf, linksOf, kernel, network }: MachineContext): BoxContents {
  const folder = folderOf(id)
  const { run, log } = filesIn(folder)
  return {
    read: [folder, ...(kernel ? [kernel.kernel, kernel.initrd] : [])],
    written: [run, log],
    moved: linkFoldersIn(folder, linksOf(id)),
    hasNetwork: network !== 'none',
  }
}

const nicIdsOf = (record: KeptRecord) => record.value.spec.nics.map(({ id }) => id)

/** Connects the interfaces of a machine to their networks, once QEMU has opened their devices. */
export async function connectNics(record: KeptRecord, context: MachineContext): Promise<void> {
  const { network } = context
  if (typeof network !== 'string') await connecting(network.connect(nicIdsOf(record)), context)
}

/** Its errors have commands of the host, and the owner of a machine reads the reason. */
function connecting<T>(work: Promise<T>, { log }: MachineContext): Promise<T> {
  return work.catch((error: unknown) => {
    log.warn({ error }, 'the network of a machine fails')
    throw new Error('the host cannot connect the machine to its network', { cause: error })
  })
}

/** Gives the devices of the interfaces back, once QEMU has ended. */
export async function releaseNics(record: KeptRecord, { network }: MachineContext): Promise<void> {
  if (typeof network !== 'string') await network.release(nicIdsOf(record))
}

/** The process whose machine has a folder; undefined if there is none. */
export const findMachine = (folder: string): Promise<QemuProcess | undefined> =>
  findProcess(qmpOption(filesIn(folder).qmp), folder)

/** The process of a machine that another process of the server has started; undefined if it has ended. */
export async function findLaunched(
  id: string,
  record: KeptRecord,
  context: MachineContext,
): Promise<QemuProcess | undefined> {
  const known = record.value.process
  const folder = context.folderOf(id)
  // One that was started before machines had these folders gets new layers by them as well. It is in no box.
  await makeLinkFolders(folder, context.linksOf(id), false)
  // The path of the folder may have changed since then.
  const recalled = known && (await recallProcess(known, folder))
  return recalled ?? findMachine(folder)
}
