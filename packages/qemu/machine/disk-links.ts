/**
 * The names by which a machine opens the bytes of its disks: hard links in two folders, of which it writes to one. They
 * are with the bytes of all disks, as links do not cross file systems; in the folder of the machine, they are `read` and
 * `written`.
 */
import { execFile } from 'node:child_process'
import { chmod, link, mkdir, readdir, rm, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
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
    await closeFolder(of)
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
  const [there, wanted] = await Promise.all([stat(at).catch(() => undefined), stat(path)])
  if (there?.ino !== wanted.ino)
    await changing(join(links, use), async () => {
      await rm(at, { force: true })
      await link(path, at)
    })
  return join(use, name)
}

/** A process in a box makes no files in a folder that its owner cannot write to, and is refused to change that. */
export const closeFolder = (folder: string): Promise<void> => chmod(folder, 0o500)

/** Lets this process change a folder that is closed. */
export async function changing(folder: string, work: () => Promise<void>): Promise<void> {
  // Root needs no permission, so that the folder is never open.
  if (process.getuid?.() !== 0) await chmod(folder, 0o700)
  try {
    await work()
  } finally {
    await closeFolder(folder)
  }
}

/** Takes a file from a machine that it does not write to any more. */
export async function hideFile(links: string, path: string): Promise<void> {
  const at = join(links, 'written', basename(path))
  if (await stat(at).catch(() => undefined)) await changing(dirname(at), () => rm(at))
}

/** Removes all links of a machine: the room of removed disks is free then. */
export async function removeLinks(links: string): Promise<void> {
  // They are closed, and need no other program to be removed.
  for (const use of uses) await chmod(join(links, use), 0o700).catch(() => undefined)
  await removeAll(links)
}

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
