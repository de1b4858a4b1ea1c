/** The locks by which each QEMU says what it does with a file. */
import { readFile, stat } from 'node:fs/promises'

/** A process of QEMU writes to the layer. */
export class LayerInUse extends Error {
  override name = 'LayerInUse'
  constructor() {
    super('a disk is in use by another machine')
  }
}

/** QEMU locks this byte of a file, with all others of its permissions from 100 on, while it may write to it. */
const writersByte = 101

/** Throws LayerInUse if any process writes to the file. */
export async function requireFree(path: string): Promise<void> {
  const { ino } = await stat(path)
  // Locks of open files. The number of the device is not that of `stat` on all file systems.
  const pattern = new RegExp(`OFDLCK .* [0-9a-f]+:[0-9a-f]+:${ino} (\\d+) (\\d+|EOF)$`)
  for (const line of (await readFile('/proc/locks', 'utf8')).split('\n')) {
    const [, first, last] = pattern.exec(line) ?? []
    if (first === undefined || Number(first) > writersByte) continue
    if (last === 'EOF' || Number(last) >= writersByte) throw new LayerInUse()
  }
}
