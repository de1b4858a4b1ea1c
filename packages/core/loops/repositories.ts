/** Deletes repositories that are no longer needed, uploads that were given up, and files that no row refers to. */
import { repositoriesKept } from '@purlin/contract/rules/updates'
import type { World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { removeFile } from '#/resources/updates/update-files.ts'
import { targetsOf } from '#/resources/updates/targets.ts'
import type { Loop } from './loop.ts'

const everyMs = 300_000
/** Former targets whose versions are remembered. */
const targetsRemembered = 10

export const pruneRepositories = (world: World): Loop => ({
  name: 'repositories',
  async round() {
    const { engine, clock, updates } = world
    if (updates && updates.files.unreachable === undefined) {
      // Read first: a file has its row before it has bytes, so a file without a row now never gets one.
      const stored = await updates.files.list()
      const kept = await engine.transaction('write', (tx) => prune(tx, clock.now()))
      for (const id of stored) if (!kept.has(id)) await removeFile(world, id)
    }
    return clock.now() + everyMs
  },
})

/** Deletes the rows, and returns the ids of the files that the others have. */
async function prune(tx: Tx, now: number): Promise<Set<string>> {
  await tx.deleteFrom('systemUpdateUpload').where('timeExpires', '<=', now).execute()
  const targets = await targetsOf(tx, repositoriesKept.targets)
  const repositories = await tx
    .selectFrom('systemUpdateRepository')
    .select(['id', 'fileId', 'systemVersion', 'timeCreated'])
    .orderBy('timeCreated', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const versions = new Set(targets.map(({ systemVersion }) => systemVersion))
  const isNeeded = (systemVersion: string, place: number) =>
    place < repositoriesKept.uploads || versions.has(systemVersion)
  const needless = repositories.filter(({ systemVersion }, place) => !isNeeded(systemVersion, place))
  for (const { id } of needless) {
    await tx.deleteFrom('updateArtifact').where('repositoryId', '=', id).execute()
    await tx.deleteFrom('systemUpdateRepository').where('id', '=', id).execute()
  }
  const first = (targets[0]?.generation ?? 0) - targetsRemembered
  await tx.deleteFrom('targetRelease').where('generation', '<=', first).execute()
  const uploads = await tx.selectFrom('systemUpdateUpload').select('id').execute()
  const kept = repositories.filter((one) => !needless.includes(one)).map(({ fileId }) => fileId)
  return new Set([...kept, ...uploads.map(({ id }) => id)])
}
