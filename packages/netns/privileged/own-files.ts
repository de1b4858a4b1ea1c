/** Tells root whether the files that it runs are its own. */
import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { run } from '../kernel/commands.ts'

const writable = ['(', '-perm', '-002', '-o', '-perm', '-020', '!', '-gid', '0', ')']
const first = ['-print', '-quit']

/** The first of these files and folders, all in them and the folders above that a user other than root may change. */
export async function changeableByOthers(paths: readonly string[]): Promise<string | undefined> {
  const own = await Promise.all(paths.map((path) => realpath(path)))
  const above = [...new Set(own.flatMap(foldersAbove))]
  const notOwn = ['!', '-uid', '0', '-o']
  // In a sticky folder such as /tmp, files of root stay.
  const ofFolders = ['-maxdepth', '0', '(', ...notOwn, '!', '-perm', '-1000', ...writable, ')']
  const ofFiles = ['!', '-type', 'l', '(', ...notOwn, ...writable, ')']
  const found =
    (await run('find', [...above, ...ofFolders, ...first])) ||
    (await run('find', [...own, ...ofFiles, ...first]))
  return found.trim() || undefined
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path)
  return folder === path ? [] : [folder, ...foldersAbove(folder)]
}
