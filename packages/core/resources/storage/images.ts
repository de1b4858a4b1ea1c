/** Images that disks are made from: those of a project, and those of the silo, which all its users share. */
import { limits } from '@purlin/contract/rules/limits'
import { snapshotAnswer } from '@purlin/contract/rules/states'
import { sql, type Selectable } from 'kysely'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type { ImageTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import { projectsSeen } from '#/auth/access.ts'
import { resolve, resolveScope, resolveToRead, type Scope } from '#/auth/resolve.ts'
import { lastUseView, noteUse, notUsed } from '../kind/last-use.ts'
import { withDetails } from '../kind/plain.ts'
import { unusedImages } from '../kind/unused.ts'
import {
  deleteRow,
  identityChanges,
  identityView,
  insertNamed,
  moveChild,
  newIdentity,
  keptChanges,
  refuseProtected,
  updateNamed,
  newKept,
} from '../kind/rows.ts'

type Row = Selectable<ImageTable>

const view = (row: Listed<'image'>) => ({
  ...identityView(row),
  os: row.os,
  version: row.version,
  size: row.size,
  blockSize: row.blockSize,
  digest: row.digest === null ? null : { type: 'sha256' as const, value: row.digest },
  ...(row.projectId === null ? {} : { projectId: row.projectId }),
  ...lastUseView(row),
})

export const images: Family<`image${'List' | 'View' | 'Create' | 'Update' | 'Delete' | 'Promote' | 'Demote'}`> =
  {
    async imageList(ctx, { query }) {
      const scope = await resolveScope(ctx, query)
      const all = ctx.tx.selectFrom('image').where('scopeId', '=', scope.id)
      const rows = query.unused === true ? unusedImages(all) : all
      const listQuery = query.totalDisks ? withDetails(query) : query
      const found = await pageByName(ctx, listQuery, { rows, table: 'image', holder: scope.id })
      const page = mapPage(found, view)
      return query.totalDisks ? { ...page, items: await withDisks(ctx, scope.projectId, page.items) } : page
    },

    async imageView(ctx, { params, query: { totalDisks, ...query } }) {
      const image = view(await resolve(ctx, 'image', { ...params, ...query }))
      if (!totalDisks) return image
      const [counted] = await withDisks(ctx, image.projectId ?? null, [image])
      return counted ?? image
    },

    async imageCreate(ctx, { query, body }) {
      return view(await createImage(ctx, await resolveScope(ctx, query), body))
    },

    async imageUpdate(ctx, { params, query, body }) {
      const row = await resolve(ctx, 'image', { ...params, ...query })
      const changes = { ...identityChanges(ctx, body), ...keptChanges(body) }
      return view(await updateNamed(ctx, ['image', row], changes))
    },

    async imageDelete(ctx, { params, query }) {
      const row = await resolve(ctx, 'image', { ...params, ...query })
      refuseProtected('image', row)
      await deleteRow('image')(ctx, row)
      ctx.wake('layers')
    },

    async imagePromote(ctx, { params, query }) {
      const row = await resolve(ctx, 'image', { ...params, ...query })
      if (row.projectId === null) throw fault.invalid('Cannot promote a silo image')
      const to = { projectId: null, scopeId: row.siloId, timeModified: ctx.now }
      return view(await moveChild(ctx, ['image', row], to))
    },

    async imageDemote(ctx, { params, query }) {
      // The project in the query is the target, not where the image is.
      const row = await resolve(ctx, 'image', params)
      const { id } = await resolve(ctx, 'project', query)
      if (row.projectId !== null) throw fault.invalid('Cannot demote a project image')
      const to = { projectId: id, scopeId: id, timeModified: ctx.now }
      return view(await moveChild(ctx, ['image', row], to))
    },
  }

/** Makes an image of a snapshot's content, whose digest is then computed by a loop. Throws 400, 404. */
async function createImage(ctx: Ctx, scope: Scope, body: BodyOf<'imageCreate'>): Promise<Row> {
  const snapshot = await resolveToRead(ctx, 'snapshot', { snapshot: body.source.id })
  const { projectId } = scope
  if (projectId !== null && snapshot.projectId !== projectId)
    throw fault.invalid('snapshot does not belong to this project')
  if (snapshotAnswer('createImage', snapshot.state) === 'refuse')
    throw fault.invalid(`cannot create image from snapshot in state ${snapshot.state}`)
  const { siloId, size, blockSize, layerId } = snapshot
  const row: Row = {
    ...newIdentity(ctx, body),
    siloId,
    projectId,
    scopeId: scope.id,
    os: body.os,
    version: body.version,
    size,
    blockSize,
    layerId,
    digest: null,
    digestDueAt: ctx.now,
    ...newKept(body),
    ...notUsed,
  }
  await insertNamed(ctx, 'image', row)
  await noteUse(ctx, 'snapshot', snapshot)
  ctx.wake('digests')
  return row
}

/**
 * Images with the number of disks that were made from each: those of the project, or of the projects that the actor
 * sees for images of the silo. It is not stored in the row of an image, because then requests that make disks from the
 * same image would wait for each other.
 */
async function withDisks<V extends { id: string }>(
  { tx, actor }: Pick<Ctx, 'tx' | 'actor'>,
  projectId: string | null,
  images: readonly V[],
): Promise<(V & { totalDisks: number })[]> {
  const within = projectId === null ? projectsSeen(actor) : [projectId]
  if (images.length === 0) return []
  const rows = await tx
    .selectFrom('image')
    .select([
      'image.id',
      (eb) =>
        eb
          .selectFrom(
            eb
              .selectFrom('disk as made')
              .select(sql.lit(1).as('one'))
              .whereRef('made.imageId', '=', 'image.id')
              .$if(within !== undefined, (some) => some.where('made.projectId', 'in', within ?? []))
              .limit(sql.lit(limits.lists.disksOfImage))
              .as('some'),
          )
          .select((some) => some.fn.countAll<number | string>().as('count'))
          .as('total'),
    ])
    .where(
      'image.id',
      'in',
      images.map(({ id }) => id),
    )
    .execute()
  const totals = new Map(rows.map(({ id, total }) => [id, Number(total)]))
  return images.map((image) => ({ ...image, totalDisks: totals.get(image.id) ?? 0 }))
}
