/** The locks by which each QEMU says what it does with a file. */
import { execFile } from 'node:child_process'
import { readFile, stat, statfs } from 'node:fs/promises'
import { promisify } from 'node:util'
import { systemCodeOf } from '@purlin/databases/error-codes'

const run = promisify(execFile)

/** A process of QEMU writes to the layer. */
export class LayerInUse extends Error {
  override name = 'LayerInUse'
  constructor() {
    super('a disk is in use by another machine')
  }
}

/** QEMU locks this byte of a file, with all others of its permissions from 100 on, while it may write to it. */
const writersByte = 101

/** Throws LayerInUse if any process writes to the file, on this host or on another one with the same file system. */
export async function requireFree(path: string): Promise<void> {
  await requireFreeHere(path)
  if (!ofOneHost.has((await statfs(path)).type)) await requireLockable(path)
}

/** The file systems whose locks are all in `/proc/locks`: ext4, XFS, Btrfs, ZFS, F2FS, tmpfs and overlayfs. */
const ofOneHost = new Set([
  0xef53, 0x5846_5342, 0x9123_683e, 0x2fc1_2fc1, 0xf2f5_2010, 0x0102_1994, 0x794c_7630,
])

/** Takes the locks of a writer for a moment, which a shared file system grants to one host. Throws LayerInUse. */
export async function requireLockable(path: string): Promise<void> {
  const file = JSON.stringify({ driver: 'file', filename: path })
  try {
    await run('qemu-io', ['-c', 'quit', `json:${file}`])
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT')
      throw new Error('disks that hosts share need qemu-io: install qemu-utils', { cause: error })
    if (/Failed to get .*lock/.test((error as { stderr?: string }).stderr ?? '')) throw new LayerInUse()
    throw error
  }
}

async function requireFreeHere(path: string): Promise<void> {
  const { ino } = await stat(path)
  // Locks of open files. The number of the device is not that of `stat` on all file systems.
  const pattern = new RegExp(`OFDLCK .* [0-9a-f]+:[0-9a-f]+:${ino} (\\d+) (\\d+|EOF)$`)
  for (const line of (await readFile('/proc/locks', 'utf8')).split('\n')) {
    const [, first, last] = pattern.exec(line) ?? []
    if (first === undefined || Number(first) > writersByte) continue
    if (last === 'EOF' || Number(last) >= writersByte) throw new LayerInUse()
  }
}
