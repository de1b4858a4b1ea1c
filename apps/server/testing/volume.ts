/** A separate small volume for a test, which fills up without affecting others. Needs Linux and the right to mount. */
import { systemCodeOf } from '@purlin/databases/error-codes'
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Volume {
  path: string
  /** bytes that are free */
  free: () => number
  /** Takes all room that is free, to the last page. */
  fill: () => void
  /** Frees what `fill` has taken. */
  empty: () => void
  setReadOnly: (isReadOnly: boolean) => void
  remove: () => void
}

/** Why there are no volumes here; undefined if there are. */
export const noVolumes: string | undefined =
  process.platform === 'linux' && process.getuid?.() === 0 && canMount()
    ? undefined
    : 'only root on Linux may mount a volume'

function canMount(): boolean {
  try {
    mountVolume(1).remove()
    return true
  } catch {
    return false
  }
}

/** Mounts a volume of this many MiB in memory. */
export function mountVolume(mebibytes: number): Volume {
  const path = mkdtempSync(join(tmpdir(), 'purlin-volume-'))
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'purlin-test', path], { stdio: 'pipe' })
  const ballast = join(path, 'ballast')
  mount(`size=${mebibytes}m`)
  return {
    path,
    free: () => {
      const { bavail, bsize } = statfsSync(path)
      return bavail * bsize
    },
    fill: () => fillUp(ballast),
    empty: () => rmSync(ballast, { force: true }),
    setReadOnly: (isReadOnly) => void mount(`remount,${isReadOnly ? 'ro' : 'rw'},size=${mebibytes}m`),
    remove: () => {
      execFileSync('umount', ['-l', path])
      rmSync(path, { recursive: true })
    },
  }
}

function fillUp(path: string): void {
  const file = openSync(path, 'a')
  for (const size of [2 ** 20, 2 ** 12]) {
    const bytes = new Uint8Array(size).fill(1)
    try {
      for (;;) writeSync(file, bytes)
    } catch (error) {
      if (systemCodeOf(error) !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
}
