/** Imports and reads disks with content. */
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { toBase64 } from '@purlin/contract/wire'
import { GiB } from '@purlin/contract/rules/limits'
import { chainOf } from '#/resources/storage/layers.ts'
import { inDb } from './networks/networks.ts'
import type { TestWorld, Who } from './world.ts'

/** `blocks` blocks of 512 bytes, all of one value. */
export const blocks = (value: number, count = 1): Uint8Array => new Uint8Array(512 * count).fill(value)

/** It has a name, so that the type of what is made of it does not spell out each operation. */
export interface StorageClient extends Client<Operations> {}

/** The requests on disks, snapshots and images of `demo`, as one user. */
export function storageOf(world: TestWorld, who: Who = 'projectCollaborator') {
  const client: StorageClient = world.as(who)
  const query = { project: 'demo' }
  const at = (disk: string) => ({ params: { disk }, query })
  const identity = (name: string) => ({ name, description: '' })
  type Source = Parameters<typeof client.diskCreate>[0]['body']['diskSource']
  return {
    client,
    make: (name: string, diskSource: Source = { type: 'importing_blocks', blockSize: 512 }, size = GiB) =>
      client.diskCreate({ query, body: { ...identity(name), size, diskSource } }),
    start: (disk: string) => client.diskBulkWriteImportStart(at(disk)),
    write: (disk: string, offset: number, data: Uint8Array) =>
      client.diskBulkWriteImport({ ...at(disk), body: { offset, base64EncodedData: toBase64(data) } }),
    stop: (disk: string) => client.diskBulkWriteImportStop(at(disk)),
    finalize: (disk: string, snapshotName?: string) =>
      client.diskFinalizeImport({ ...at(disk), body: { snapshotName } }),
    state: async (disk: string) => (await client.diskView(at(disk))).state.state,
    remove: (disk: string) => client.diskDelete(at(disk)),
    snapshot: (name: string, disk: string) =>
      client.snapshotCreate({ query, body: { ...identity(name), disk } }),
    viewSnapshot: (snapshot: string) => client.snapshotView({ params: { snapshot }, query }),
    removeSnapshot: (snapshot: string) => client.snapshotDelete({ params: { snapshot }, query }),
    image: (name: string, id: string, of: { project?: string } = query) =>
      client.imageCreate({
        query: of,
        body: { ...identity(name), os: 'debian', version: '13', source: { type: 'snapshot', id } },
      }),
  }
}

/** Creates a detached disk that begins with `data`; the rest is zeros. */
export async function importedDisk(world: TestWorld, name: string, data: Uint8Array): Promise<void> {
  const { make, start, write, stop, finalize } = storageOf(world)
  await make(name)
  await start(name)
  await write(name, 0, data)
  await stop(name)
  await finalize(name)
}

/** The bytes of the disk, snapshot or image with this name. */
export async function contentOf(
  world: TestWorld,
  [table, name]: ['disk' | 'snapshot' | 'image', string],
  [offset, length]: [number, number],
): Promise<Uint8Array> {
  const chain = await inDb(world, async (tx) => {
    const row = await tx
      .selectFrom(table as 'disk')
      .select('layerId')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    return chainOf(tx, row.layerId)
  })
  return world.world.blobs.read(chain, offset, length)
}

/** Writes into a disk as its machine would. */
export async function writeInto(world: TestWorld, name: string, offset: number, data: Uint8Array) {
  const chain = await inDb(world, async (tx) => {
    const row = await tx
      .selectFrom('disk')
      .select('layerId')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    return chainOf(tx, row.layerId)
  })
  await world.world.blobs.write(chain, offset, data)
}
