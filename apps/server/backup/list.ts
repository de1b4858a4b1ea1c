/** The backups in a folder, for operators. */
import { systemCodeOf } from '@purlin/databases/error-codes'
import { Damaged } from './contents.ts'
import { idsIn, readManifest, timeOf } from './manifest.ts'

interface Listed {
  id: string
  /** ms since 1970 */
  timeMade: number
  /** bytes; null for one whose manifest is damaged */
  size: number | null
}

/** The latest backups, the newest first. A folder without any may not exist yet. */
export async function listBackups(folder: string, most: number): Promise<Listed[]> {
  const ids = await idsIn(folder).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return []
    throw error
  })
  const found: Listed[] = []
  for (const id of ids.toReversed().slice(0, most)) {
    const size = await sizeOf(folder, id)
    // Older backups are deleted while the folder is read.
    if (size !== undefined) found.push({ id, timeMade: Date.parse(timeOf(id)), size })
  }
  return found
}

async function sizeOf(folder: string, id: string): Promise<number | null | undefined> {
  try {
    const { files } = await readManifest(folder, id)
    return files.reduce((sum, { size }) => sum + size, 0)
  } catch (error) {
    if (error instanceof Damaged) return null
    if (systemCodeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
