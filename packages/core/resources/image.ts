/** Images to start disks from: those of a project, and those of the silo that all its users share. */
import type { Operations } from '@purlin/contract/operations'
import type { Parsed } from '@purlin/contract/op'
import { isUuid } from '@purlin/contract/rules/names'
import { snapshotCan } from '@purlin/contract/rules/snapshot'
import type { Selectable } from 'kysely'
import { permits, type ProjectScope } from '../access.ts'
import type { Ctx, Family } from '../context.ts'
import type { ImageTable } from '../db/tables.ts'
import { fault } from '../faults.ts'
import { mapPage, pageByName } from '../pages.ts'
import { permit, resolve, resolveToRead } from '../resolve.ts'
import { addChild, headView, newHead, orExists } from '../rows.ts'

type Row = Selectable<ImageTable>

const view = (row: Row) => ({
  ...headView(row),
  os: row.os,
  version: row.version,
  size: row.size,
  blockSize: row.blockSize,
  digest: row.digest === null ? null : { type: 'sha256' as const, value: row.digest },
  ...(row.projectId === null ? {} : { projectId: row.projectId }),
})

export const images: Family<
  'imageList' | 'imageView' | 'imageCreate' | 'imageDelete' | 'imagePromote' | 'imageDemote'
> = {
  async imageList(ctx, { query }) {
    const { scopeId } = await scope(ctx, query.project)
    // Who may read the scope may see its images.
    ctx.checked = true
    const rows = ctx.tx.selectFrom('image').selectAll().where('scopeId', '=', scopeId)
    return mapPage(await pageByName(ctx, query, rows), view)
  },

  async imageView(ctx, { params, query }) {
    const row = await find(ctx, { ...params, ...query })
    ctx.checked = true
    return view(row)
  },

  async imageCreate(ctx, { query, body }) {
    const project = query.project == null ? null : await resolve(ctx, 'project', { project: query.project })
    if (!project) permit(ctx, 'silo.collaborator')
    return view(await createImage(ctx, project, body))
  },

  async imageDelete(ctx, { params, query }) {
    const row = await find(ctx, { ...params, ...query })
    permitChange(ctx, row)
    await ctx.tx.deleteFrom('image').where('id', '=', row.id).execute()
    ctx.wake('layers')
  },

  async imagePromote(ctx, { params, query }) {
    const row = await find(ctx, { ...params, ...query })
    permitChange(ctx, row)
    permit(ctx)
    if (row.projectId === null) throw fault.invalid('Cannot promote a silo image')
    await addChild(ctx, 'silo', row.siloId)
    return view(await move(ctx, row, { projectId: null, scopeId: row.siloId }))
  },

  async imageDemote(ctx, { params, query }) {
    // The project is where it shall go, not where it is.
    const row = await find(ctx, params)
    permitChange(ctx, row)
    const project = await resolve(ctx, 'project', query)
    if (row.projectId !== null) throw fault.invalid('Cannot demote a project image')
    await addChild(ctx, 'project', project.id)
    return view(await move(ctx, row, { projectId: project.id, scopeId: project.id }))
  },
}

const labelOf = ({ projectId }: { projectId: string | null }) =>
  projectId === null ? 'silo-image' : 'project-image'

type NewImage = Parsed<Operations['imageCreate']>['body']

/** Makes an image of a snapshot's content, whose digest is then computed by a loop. Throws 400, 404. */
async function createImage(ctx: Ctx, project: ProjectScope | null, body: NewImage): Promise<Row> {
  const snapshot = await resolveToRead(ctx, 'snapshot', { snapshot: body.source.id })
  if (project && snapshot.projectId !== project.id)
    throw fault.invalid('snapshot does not belong to this project')
  if (!snapshotCan('createImage', snapshot.state))
    throw fault.invalid(`cannot create image from snapshot in state ${snapshot.state}`)
  const { siloId, size, blockSize, layerId } = snapshot
  const projectId = project?.id ?? null
  const row: Row = {
    ...newHead(ctx, body),
    siloId,
    projectId,
    scopeId: projectId ?? siloId,
    os: body.os,
    version: body.version,
    size,
    blockSize,
    layerId,
    digest: null,
    digestDueAt: ctx.now,
  }
  await orExists(labelOf(row), row.name, ctx.tx.insertInto('image').values(row).execute())
  await (project ? addChild(ctx, 'project', project.id) : addChild(ctx, 'silo', siloId))
  ctx.wake('digests')
  return row
}

async function move(ctx: Ctx, row: Row, to: Pick<Row, 'projectId' | 'scopeId'>): Promise<Row> {
  const set = { ...to, timeModified: ctx.now }
  const write = ctx.tx.updateTable('image').set(set).where('id', '=', row.id).execute()
  await orExists(labelOf(to), row.name, write)
  return { ...row, ...set }
}

/** An image of a project is changed by its collaborators, one of the silo by the silo's. Throws 403. */
function permitChange(ctx: Ctx, { projectId, siloId }: Row): void {
  const may =
    projectId === null
      ? permits(ctx.actor, 'silo.collaborator')
      : permits(ctx.actor, 'project.collaborator', { id: projectId, siloId })
  if (!may) throw fault.forbidden()
  ctx.checked = true
}

/** The image that a request names, if the actor may read it. Throws 400, 404. */
async function find(
  ctx: Ctx,
  { image, project }: { image: string; project?: string | null | undefined },
): Promise<Row> {
  if (!isUuid(image)) return byName(ctx, image, project)
  if (project != null) throw fault.parentWithId('image', ['project'])
  return resolveImage(ctx, image)
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
    return { scopeId: (await resolveToRead(ctx, 'project', { project })).id, label: 'project-image' }
  return { scopeId: ctx.actor.siloId, label: 'silo-image' }
}
