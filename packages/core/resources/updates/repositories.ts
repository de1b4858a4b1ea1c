/** Repositories of releases. A repository has a row only once it is verified. */
import { precedenceKey } from '@purlin/contract/rules/versions'
import { kinds } from '@purlin/contract/rules/kinds'
import { noteMade } from '#/audit/touched.ts'
import { permit } from '#/auth/resolve.ts'
import type { Ctx, Family, RequestContext, World } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import { mapPage, pageByVersion } from '#/db/lists/pages.ts'
import { newRowId } from '#/db/row-id.ts'
import type { Tx, UpdateRepositoryTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import {
  RepositoryRefused,
  type Artifact,
  type KnownMetadata,
  type TrustRoot,
  type VerifiedRepository,
} from '#/ports.ts'
import { targetOf } from './targets.ts'
import { hashOf, randomAccess, updatesOf } from './update-files.ts'

type Row = Listed<'systemUpdateRepository'>

const view = ({ hash, systemVersion, fileName, timeCreated }: Row) => ({
  hash,
  systemVersion,
  fileName,
  timeCreated: new Date(timeCreated),
})

export const updateRepositories: Family<'systemUpdateRepositoryList' | 'systemUpdateRepositoryView'> = {
  async systemUpdateRepositoryList(ctx, { query }) {
    permit(ctx)
    return mapPage(await pageByVersion(ctx, query), view)
  },

  async systemUpdateRepositoryView(ctx, { params: { systemVersion } }) {
    permit(ctx)
    return view(await repositoryOf(ctx.tx, systemVersion))
  },
}

/** The repository of a release. Throws 404. */
export async function repositoryOf(tx: Tx, systemVersion: string): Promise<UpdateRepositoryTable> {
  const row = await ofVersion(tx, systemVersion)
  if (!row) throw fault.notFound(kinds.systemUpdateRepository.type, systemVersion)
  return row
}

/** The repository of a release; undefined without one. */
export const ofVersion = (tx: Tx, systemVersion: string) =>
  tx
    .selectFrom('systemUpdateRepository')
    .selectAll()
    .where('systemVersion', '=', systemVersion)
    .executeTakeFirst()

/** A file that has been received completely. */
export interface Received {
  id: string
  fileName: string
  size: number
}

/**
 * Verifies a file that was received and makes it a repository, unless it is known already. Throws 400 for one that is
 * refused, 409 for one that contradicts another one.
 */
export async function admit(request: RequestContext, file: Received) {
  const { world } = request
  const hash = await hashOf(world, file)
  const { roots, known, same } = await request.transaction('read', (ctx) => knownIn(ctx, hash))
  if (same) return { repo: view(same), status: 'already_exists' as const }
  if (roots.length === 0) throw fault.invalid('no trust root: add the root document of the publisher first')
  const verified = await verify(world, file, { roots, known })
  return request.transaction('write', (ctx) => insert(ctx, { ...file, hash }, verified))
}

interface Known {
  roots: TrustRoot[]
  /** Of the repository of the target release. */
  known: KnownMetadata | undefined
  same: Row | undefined
}
async function knownIn(ctx: Ctx, hash: string): Promise<Known> {
  permit(ctx)
  const { tx } = ctx
  const roots = await tx
    .selectFrom('systemUpdateTrustRoot')
    .select(['id', 'document'])
    .orderBy('id')
    .execute()
  const target = await targetOf(tx)
  const known = target && (await ofVersion(tx, target.systemVersion))
  const same = await tx
    .selectFrom('systemUpdateRepository')
    .selectAll()
    .where('hash', '=', hash)
    .executeTakeFirst()
  return { roots, known, same }
}

async function verify(
  world: World,
  file: Received,
  { roots, known }: Pick<Known, 'roots' | 'known'>,
): Promise<VerifiedRepository> {
  const { clock, sha256 } = world
  try {
    return await updatesOf(world).verifier.verify(randomAccess(world, file), {
      roots,
      known,
      now: clock.now(),
      sha256,
    })
  } catch (error) {
    throw error instanceof RepositoryRefused ? fault.invalid(`repository refused: ${error.message}`) : error
  }
}

async function insert(ctx: Ctx, file: Received & { hash: string }, verified: VerifiedRepository) {
  permit(ctx)
  const { tx, unit, world, now } = ctx
  const { artifacts, ...metadata } = verified
  const { systemVersion, trustRootId } = metadata
  const existing = await ofVersion(tx, systemVersion)
  if (existing?.hash === file.hash) return { repo: view(existing), status: 'already_exists' as const }
  if (existing)
    throw fault.conflict(
      `Uploaded repository with system version ${systemVersion} has SHA256 hash ${file.hash}, ` +
        `but existing repository has SHA256 hash ${existing.hash}`,
    )
  await refuseClashes(tx, artifacts)
  const root = await tx
    .selectFrom('systemUpdateTrustRoot')
    .select('id')
    .where('id', '=', trustRootId)
    .executeTakeFirst()
  if (!root) throw fault.invalid('repository refused: its trust root has just been deleted')
  const { id: fileId, ...rest } = file
  const versionKey = `${precedenceKey(systemVersion)} ${systemVersion}`
  const row = { ...metadata, ...rest, id: newRowId(world), versionKey, fileId, timeCreated: now }
  await tx.insertInto('systemUpdateRepository').values(row).execute()
  for (const artifact of artifacts)
    await tx
      .insertInto('updateArtifact')
      .values({ repositoryId: row.id, ...artifact })
      .execute()
  await tx.deleteFrom('systemUpdateUpload').where('id', '=', fileId).execute()
  noteMade(unit, 'systemUpdateRepository', { id: row.id, name: systemVersion })
  return { repo: view(row), status: 'inserted' as const }
}

const mostListed = 20

/** Throws 409 if other repositories have artifacts of the same name and version with other content. */
async function refuseClashes(tx: Tx, artifacts: readonly Artifact[]): Promise<void> {
  const clashes: string[] = []
  for (const { kind, name, version, hash } of artifacts) {
    const other = await tx
      .selectFrom('updateArtifact')
      .select('hash')
      .where('name', '=', name)
      .where('version', '=', version)
      .where('kind', '=', kind)
      .where('hash', '<>', hash)
      .limit(1)
      .executeTakeFirst()
    if (other) clashes.push(`${kind} ${name} ${version} has SHA256 hash ${hash}, but existing ${other.hash}`)
  }
  if (clashes.length === 0) return
  const rest = clashes.length > mostListed ? `, and ${clashes.length - mostListed} more` : ''
  throw fault.conflict(
    `Uploaded artifacts do not match existing artifacts of the same name and version: ` +
      `${clashes.slice(0, mostListed).join(', ')}${rest}`,
  )
}
