/**
 * The names by which a machine opens the bytes of its disks: hard links in two folders, of which it writes to one. They
 * are with the bytes of all disks, as links do not cross file systems; in the folder of the machine, they are `read` and
 * `written`.
 */
import { execFile } from 'node:child_process'
import { link, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { systemCodeOf } from '@purlin/databases/error-codes'
import type { LayerUse } from '../layers/layers.ts'

const run = promisify(execFile)
const uses: readonly LayerUse[] = ['read', 'written']

/** Makes both folders, unless they are there. In a box they are put in the place of empty ones; else these are links to them. */
export async function makeLinkFolders(folder: string, links: string, isInBox: boolean): Promise<void> {
  for (const use of uses) {
    const of = join(links, use)
    await mkdir(of, { recursive: true, mode: 0o700 })
    const made = isInBox ? mkdir(join(folder, use)) : symlink(relative(folder, of), join(folder, use))
    await made.catch((error: unknown) => {
      if (systemCodeOf(error) !== 'EEXIST') throw error
    })
  }
}

/** The folders that a box has in that of its machine. */
export const linkFoldersIn = (folder: string, links: string) =>
  uses.map((use) => [join(folder, use), join(links, use), use] as const)

/** Lets a machine open a file. Returns its name in the folder of the machine, which may get another path. */
export async function showFile(links: string, path: string, use: LayerUse): Promise<string> {
  const name = basename(path)
  const at = join(links, use, name)
  await rm(at, { force: true })
  await link(path, at)
  return join(use, name)
}

/** Removes all links of a machine: the room of removed disks is free then. */
export const removeLinks = (links: string): Promise<void> => removeAll(links)

/** Removes a folder, also one whose QEMU has left what Node cannot remove: folders that are closed, or very deep. */
export async function removeAll(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch {
    await run('chmod', ['-R', 'u+rwX', '--', folder])
    await run('rm', ['-rf', '--', folder])
  }
}

/** The folder of the links of all machines of a host. Hosts may share the bytes of disks. */
export const hostLinks = (blobs: string, host: string): string => join(blobs, 'machines', host)

/** Removes the links of machines that a host does not have any more. */
export async function removeOtherLinks(links: string, ids: readonly string[]): Promise<void> {
  const found = await readdir(links).catch(() => [])
  for (const id of found) if (!ids.includes(id)) await removeLinks(join(links, id))
}
