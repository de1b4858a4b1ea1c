/** How much of a file has been sent to a disk, so that the same command continues after an interruption. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Io } from '../io.ts'

/** A file as it was when the upload began. */
export interface FileFacts {
  path: string
  size: number
  /** Milliseconds. */
  modified: number
}

/** The facts of a file. Throws if it does not exist. */
export function factsOf(path: string): FileFacts {
  const { size, mtimeMs } = statSync(path)
  return { path, size, modified: mtimeMs }
}

interface Record extends FileFacts {
  /** All bytes before it have arrived. */
  sent: number
}

// By the XDG Base Directory Specification.
function pathOf({ env }: Io, diskId: string): string {
  const home = env['XDG_STATE_HOME'] || join(env['HOME'] ?? homedir(), '.local', 'state')
  return join(home, 'purlin', 'uploads', `${diskId}.json`)
}

/** How much of this very file a disk has; undefined if that is not known. */
export function sentTo(io: Io, diskId: string, facts: FileFacts): number | undefined {
  try {
    const { sent, size, modified } = JSON.parse(readFileSync(pathOf(io, diskId), 'utf8')) as Record
    return size === facts.size && modified === facts.modified ? sent : undefined
  } catch {
    return undefined
  }
}

/** Keeps how much of a file a disk has. */
export function keepSent(io: Io, diskId: string, record: Record): void {
  const path = pathOf(io, diskId)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, JSON.stringify(record))
}

/** Forgets a disk. */
export const forgetSent = (io: Io, diskId: string): void => rmSync(pathOf(io, diskId), { force: true })
