/** Files that are kept for an operator, in the folder `aside` next to them, with one folder for each day. */
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemCodeOf } from './error-codes.ts'

const aside = 'aside'
const isDay = /^\d{4}-\d{2}-\d{2}$/
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

function ignoreMissing(error: unknown): void {
  if (systemCodeOf(error) !== 'ENOENT') throw error
}

/** Moves a file into the folder of the day of `now` (ms since 1970). Does nothing if the file does not exist. */
export async function putAside(path: string, now: number): Promise<void> {
  const to = join(dirname(path), aside, dayOf(now))
  await mkdir(to, { recursive: true, mode: 0o700 })
  await rename(path, join(to, basename(path))).catch(ignoreMissing)
}

/** Deletes the files of all days before that of `until` (ms since 1970). */
export async function dropAside(folder: string, until: number): Promise<void> {
  const days = await readdir(join(folder, aside)).catch((error: unknown) => {
    ignoreMissing(error)
    return []
  })
  for (const day of days)
    if (isDay.test(day) && day < dayOf(until))
      await rm(join(folder, aside, day), { recursive: true, force: true })
}
