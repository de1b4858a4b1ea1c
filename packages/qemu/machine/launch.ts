/** Starts QEMU for a boot of a machine. */
import { mkdir, writeFile } from 'node:fs/promises'
import type { VmSpec } from '@purlin/core/ports'
import { messageOf } from '@purlin/databases/error-codes'
import { openLayers, type BlockNode } from '../layers/layers.ts'
import { argumentsOf, qmpOption } from './arguments.ts'
import type { BoxContents } from './box.ts'
import { filesIn, layerFoldersOf, removeFolders, type MachineContext } from './context.ts'
import { makeUefi, needsUefi, type UefiFiles } from './firmware.ts'
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
import { closeUplink, openUplink, prepareUplink } from './uplink.ts'

/** Makes the folder of the boot, in place of that of the boot before. */
export async function launch(
  id: string,
  record: KeptRecord,
  context: MachineContext,
): Promise<QemuProcess | undefined> {
  const { accelerator, network, kernel, program, clock, hasBoxes } = context
  const { spec, arriving } = record.value
  const folder = context.folderOf(id)
  // The record of a boot that nothing knows of could not be read.
  const left = await findMachine(folder)
  if (left) {
    await killProcess(left)
    await untilEnded(left, clock)
  }
  await closeUplink(folder)
  await removeFolders(id, context)
  const { seed, tables: _, log, run, variables, ...sockets } = filesIn(folder)
  for (const one of [folder, run]) await mkdir(one, { recursive: true, mode: 0o700 })
  await makeLinkFolders(folder, context.linksOf(id), hasBoxes)
  const uefi = (await isUefi(record, context)) ? await makeUefi(variables, context.firmware) : undefined
  // Each waits for the disk of the host.
  const parts = [
    openDisks(id, record, context),
    record.save(uefi ? { isUefi: true } : {}),
    writeSeed(seed, id, spec),
    writeFile(log, '', { mode: 0o600 }),
  ] as const
  await Promise.allSettled(parts)
  const [disks] = await Promise.all(parts)
  const box = hasBoxes ? await boxOf(id, context, { spec, uefi }) : undefined
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
    uefi,
    arrives: arriving !== undefined,
    isGiven: box?.network === 'devices',
  })
  const process = await startProcess({ program, args, folder, box })
  if (process) await joinGroup(id, process, { context, spec })
  return process
}

/** A machine that arrives has what it began with on the other host. */
async function isUefi(record: KeptRecord, { kernel, blobs }: MachineContext): Promise<boolean> {
  const { spec, arriving, isUefi: began = false } = record.value
  if (arriving) return began
  return kernel === undefined && needsUefi(blobs, spec)
}

/** One after the other: they share the folders of links. */
async function openDisks(id: string, record: KeptRecord, context: MachineContext): Promise<BlockNode[][]> {
  const { spec, arriving } = record.value
  const disks = []
  for (const disk of spec.disks)
    disks.push(await openLayers(layerFoldersOf(id, context), disk, arriving !== undefined))
  return disks
}

/** A machine without limits runs as well: its group is one more wall. */
async function joinGroup(
  id: string,
  { pid }: QemuProcess,
  { context, spec }: { context: MachineContext; spec: VmSpec },
): Promise<void> {
  await context.groups?.join(id, pid, spec).catch((error: unknown) => {
    context.log.warn({ machine: id, reason: messageOf(error) }, 'a machine has no control group')
  })
}

/** The record of a machine is out of the reach of its QEMU: the server trusts it. */
async function boxOf(
  id: string,
  context: MachineContext,
  { spec: { nics }, uefi }: { spec: VmSpec; uefi: UefiFiles | undefined },
): Promise<BoxContents> {
  const { folderOf, linksOf, kernel } = context
  const folder = folderOf(id)
  const network = nics.length === 0 ? 'none' : networkOf(context)
  const { run, log } = filesIn(folder)
  return {
    read: [folder, ...(kernel ? [kernel.kernel, kernel.initrd] : []), ...(uefi ? [uefi.code] : [])],
    written: [run, log, ...(uefi ? [uefi.variables] : [])],
    moved: [
      ...linkFoldersIn(folder, linksOf(id)),
      ...(network === 'own' ? [await prepareUplink(folder)] : []),
    ],
    network,
  }
}

function networkOf({ network, hasUplink }: MachineContext): BoxContents['network'] {
  if (network === 'none') return 'none'
  if (network !== 'outbound') return 'devices'
  return hasUplink === true ? 'own' : 'host'
}

const nicIdsOf = (record: KeptRecord) => record.value.spec.nics.map(({ id }) => id)

/** Connects the interfaces of a machine to their networks, once QEMU has opened their devices. */
export async function connectNics(id: string, record: KeptRecord, context: MachineContext): Promise<void> {
  const { network } = context
  if (typeof network !== 'string') return connecting(network.connect(nicIdsOf(record)), context)
  const { process, spec } = record.value
  const isOwn = context.hasBoxes && spec.nics.length > 0 && networkOf(context) === 'own'
  if (process && isOwn) await connecting(openUplink(process.pid, context.folderOf(id)), context)
}

/** Its errors have commands of the host, and the owner of a machine reads the reason. */
function connecting<T>(work: Promise<T>, { log }: MachineContext): Promise<T> {
  return work.catch((error: unknown) => {
    log.warn({ error }, 'the network of a machine fails')
    throw new Error('the host cannot connect the machine to its network', { cause: error })
  })
}

/** Gives the devices of the interfaces back, once QEMU has ended. */
export async function releaseNics(id: string, record: KeptRecord, context: MachineContext): Promise<void> {
  const { network, folderOf } = context
  if (network === 'outbound') await closeUplink(folderOf(id))
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
