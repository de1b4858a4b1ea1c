/** The room that a machine takes on its host besides the bytes of its disks, and whether its QEMU keeps to that. */
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { VmDisk } from '@purlin/core/ports'
import { extent, layerFileKinds, layerOfFile } from '@purlin/databases/layer-files'
import { tablesSize } from '../layers/tables.ts'
import { createLogTrimmer } from '../console/console-log.ts'
import { filesIn } from './context.ts'
import { mostVariables } from './firmware.ts'
import { trimErrors } from './process.ts'

/** A guest writes a few MiB of console output in a second. */
const mostConsole = 1024 ** 3
const blockSize = 512

/** The folders of a machine. */
export interface Places {
  folder: string
  links: string
}

/** Gives back room that the output of the guest and of QEMU takes. */
export function createTrimmer(folder: string): () => Promise<void> {
  const trimLog = createLogTrimmer(filesIn(folder).log)
  return async () => {
    await Promise.all([trimLog(), trimErrors(folder)])
  }
}

/**
 * The first file in which a QEMU has written more than a machine with these disks needs; undefined if there is none. A
 * guest that has taken over its QEMU could fill the host with them. The disks are asked for after each look at a file: what they get
 * in between is in them before it is there.
 */
export async function fileTooMuch(
  { folder, links }: Places,
  disks: () => readonly VmDisk[],
): Promise<string | undefined> {
  const { run, log, variables, ...own } = filesIn(folder)
  const sockets = new Set(
    [own.qmp, own.serial, own.screen, own.memory, own.sending].map((path) => basename(path)),
  )
  const inRun = run === folder ? [] : await namesIn(run)
  const other = inRun.find((name) => !sockets.has(name))
  if (other !== undefined) return other
  const written = join(links, 'written')
  for (const name of await namesIn(written)) {
    const file = await stat(join(written, name)).catch(() => undefined)
    if (file && file.size > mostOf(name, disks())) return name
  }
  const kept = await stat(variables).catch(() => undefined)
  if (kept && kept.size > mostVariables) return basename(variables)
  const output = await stat(log).catch(() => undefined)
  return output && output.blocks * blockSize > mostConsole ? basename(log) : undefined
}

/** The most bytes that a file of a layer has; none if it is not one of these disks. */
function mostOf(name: string, disks: readonly VmDisk[]): number {
  const layer = layerOfFile(name)
  const size = Math.max(
    0,
    ...disks.filter(({ layers }) => layers.some(({ id }) => id === layer)).map((disk) => disk.size),
  )
  if (size === 0) return 0
  switch (layerFileKinds.find((kind) => name.endsWith(`.${kind}`))) {
    case 'data':
      // QEMU fills the extent that it begins, also the last one of a disk that ends in the middle of it.
      return Math.ceil(size / extent) * extent
    case 'qcow2':
      return tablesSize(size)
    case 'map':
    case undefined:
      return 0
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
