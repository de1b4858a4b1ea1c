/** Room on the volume of the data folder for the bytes of an image import. */
import { StorageFull } from '#/ports.ts'
import type { Work } from './import-claims.ts'

/** Beyond the bytes themselves: what else is stored needs room too. */
const more = 1.05

/** Throws StorageFull unless the volume has room for this many more bytes. */
export async function checkFree({ ports: { files } }: Pick<Work, 'ports'>, bytes: number): Promise<void> {
  if ((await files.free()) < bytes * more) throw new StorageFull('the volume has too little room')
}
