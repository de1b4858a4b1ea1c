/** Small files that are there as a whole or not at all, also after a loss of power. */
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes the file in place of the one before. Only its owner reads it. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const next = `${path}.new`
  const file = await open(next, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
