/** The files of image imports: the ports, one writer at a time, and errors of the storage. */
import { createKeyedLock } from '#/concurrency/locks.ts'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import type { World } from '#/context.ts'
import { fault } from '#/faults.ts'
import type { StoredFiles } from '#/ports.ts'

export type ImportPorts = Exclude<NonNullable<World['imageImports']>, string>

/** The ports of image imports. Throws 503 where there are none. */
export function importsOf({ imageImports, blobs }: Pick<World, 'imageImports' | 'blobs'>): ImportPorts {
  if (imageImports === undefined) throw fault.unavailable('this server cannot import images')
  if (typeof imageImports === 'string') throw fault.unavailable(imageImports)
  const reason = imageImports.files.unreachable ?? blobs.unreachable ?? blobs.readOnly
  if (reason !== undefined) throw fault.unavailable(reason)
  return imageImports
}

const lockIn = memoizeByObject((_files: StoredFiles) => createKeyedLock())

/** Runs work on the file of an import while no other request does. */
export const withImport = <T>(
  world: World,
  id: string,
  work: (ports: ImportPorts) => Promise<T>,
): Promise<T> => {
  const ports = importsOf(world)
  return lockIn(ports.files).exclusive(id, () => work(ports))
}
