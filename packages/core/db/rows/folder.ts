/** The folder with the bytes of disks: a database belongs to one folder, whichever servers use it. */
import type { Engine } from '../engine.ts'

const name = 'folder of disks'

export interface Folder {
  /** The id that is stored in it. */
  id: string
  /** True if it may become the folder of a database that has none: its id was stored before, or it has bytes. */
  isEstablished: boolean
}

/**
 * The id of the folder with the bytes of this database. If none is recorded, the given folder becomes it, unless the
 * database has bytes that a new folder cannot have: then null.
 */
export function folderOf(
  { engine }: { engine: Engine },
  { id, isEstablished }: Folder,
): Promise<string | null> {
  return engine.transaction('write', async (tx) => {
    const known = await tx.selectFrom('lease').select('holder').where('name', '=', name).executeTakeFirst()
    if (known) return known.holder
    const layer = await tx.selectFrom('layer').select('id').limit(1).executeTakeFirst()
    if (layer && !isEstablished) return null
    await tx.insertInto('lease').values({ name, holder: id, until: 0 }).execute()
    return id
  })
}
