/**
 * How far uploads have got, kept in this browser for when the page is gone: two numbers for each disk. The
 * control plane cannot say it, because writes of an import leave no trace but the bytes themselves.
 */
import { nothing, type Mark } from './tracker.ts'

const key = 'purlin-uploads'
// Those of disks that somebody else has removed would otherwise stay forever.
const most = 20

type Records = Record<string, Mark>

function readAll(): Records {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Records
  } catch {
    return {}
  }
}

function writeAll(records: Records): void {
  try {
    localStorage.setItem(key, JSON.stringify(records))
  } catch {
    // Without a store an interrupted upload begins anew, nothing worse.
  }
}

/** What has surely been written into a disk, as far as this browser knows. */
export const readMark = (diskId: string): Mark => readAll()[diskId] ?? nothing

/** Keeps the mark of a disk; undefined forgets it. */
export function keepMark(diskId: string, mark: Mark | undefined): void {
  const { [diskId]: _, ...others } = readAll()
  const newest = Object.entries(others).slice(mark ? 1 - most : 0)
  writeAll(Object.fromEntries(mark ? [...newest, [diskId, mark]] : newest))
}
