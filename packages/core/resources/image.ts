/** Images to start disks from: those of a project, and those of the silo that all its users share. */
import { isUuid } from '@purlin/contract/rules/names'
import type { Selectable } from 'kysely'
import { permits } from '../access.ts'
import type { Ctx, Family } from '../context.ts'
import type { ImageTable } from '../db/tables.ts'
import { fault } from '../faults.ts'
import { mapPage, pageByName } from '../pages.ts'
import { permit, resolve } from '../resolve.ts'
import { headView } from '../rows.ts'

type Row = Selectable<ImageTable>

const view = (row: Row) => ({
  ...headView(row),
  os: row.os,
  version: row.version,
  size: row.size,
  blockSize: row.blockSize,
  digest: row.digest === null ? null : { type: 'sha256' as const, value: row.digest },
  projectId: row.projectId,
})

export const images: Family<'imageList' | 'imageView'> = {
  async imageList(ctx, { query }) {
    const { scopeId } = await scope(ctx, query.project)
    const rows = ctx.tx.selectFrom('image').selectAll().where('scopeId', '=', scopeId)
    return mapPage(await pageByName(ctx, query, rows), view)
  },

  async imageView(ctx, { params, query }) {
    if (!isUuid(params.image)) return view(await byName(ctx, params.image, query.project))
    if (query.project != null) throw fault.parentWithId('image', ['project'])
    const row = await resolveImage(ctx, params.image)
    ctx.checked = true
    return view(row)
  },
}

/**
 * The image with this id, if the actor may read it: a silo image as a user of the silo, a project image
 * as a viewer of the project. Checks nothing else of the operation. Throws 404.
 */
export async function resolveImage(ctx: Ctx, id: string): Promise<Row> {
  const row = await ctx.tx
    .selectFrom('image')
    .selectAll()
    .where('id', '=', id.toLowerCase())
    .where('siloId', '=', ctx.actor.siloId)
    .executeTakeFirst()
  if (
    !row ||
    (row.projectId !== null &&
      !permits(ctx.actor, 'project.viewer', { id: row.projectId, siloId: row.siloId }))
  )
    throw fault.notFound('image', id)
  return row
}

async function byName(ctx: Ctx, name: string, project: string | null | undefined): Promise<Row> {
  const { scopeId, label } = await scope(ctx, project)
  const row = await ctx.tx
    .selectFrom('image')
    .selectAll()
    .where('scopeId', '=', scopeId)
    .where('name', '=', name)
    .executeTakeFirst()
  if (!row) throw fault.notFound(label, name)
  return row
}

// Silo images are there for all users of the silo: without them, members of one project could start nothing.
async function scope(
  ctx: Ctx,
  project: string | null | undefined,
): Promise<{ scopeId: string; label: string }> {
  if (project != null)
    return { scopeId: (await resolve(ctx, 'project', { project })).id, label: 'project-image' }
  permit(ctx, 'user')
  return { scopeId: ctx.actor.siloId, label: 'silo-image' }
}
