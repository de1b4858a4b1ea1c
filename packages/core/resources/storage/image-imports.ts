/** Image imports: a request makes and cancels them, and a loop makes images of them. Decision 0084. */
import { typeOf } from '@purlin/contract/rules/kinds'
import { headLength, recogniseImage } from '@purlin/contract/rules/images/formats'
import { imageAddressProblem, importLimits, shownAddress } from '@purlin/contract/rules/images/imports'
import { formatBytes, limits } from '@purlin/contract/rules/limits'
import type { ProjectScope } from '#/auth/access.ts'
import { resolve } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family, RequestContext } from '#/context.ts'
import type { ImageImportTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { plain } from '../kind/plain.ts'
import { checkRoom } from '../kind/room.ts'
import { deleteRow, identityView, insertNamed, newIdentity, newKept } from '../kind/rows.ts'
import { stored } from '../updates/update-files.ts'
import { chargeImport, releaseImport } from './import-charges.ts'
import { importsOf, withImport, type ImportPorts } from './import-files.ts'

const kind = 'imageImport'
type Row = ImageImportTable

const view = (row: Row) => ({
  ...identityView(row),
  projectId: row.projectId,
  os: row.os,
  version: row.version,
  blockSize: row.blockSize,
  source:
    row.url === null ? { type: 'upload' as const } : { type: 'url' as const, url: shownAddress(row.url) },
  sha256: row.sha256,
  state: row.state,
  format: row.format,
  received: row.received,
  size: row.size,
  problem: row.problem,
})

const { handlers } = plain(kind, { view, create, remove })

export const imageImports: Family<keyof typeof handlers | 'imageImportAppend'> = {
  ...handlers,

  imageImportAppend: {
    async withoutTransaction(request, { params, query: { offset, ...query }, body }) {
      const { id } = await find(request, { ...params, ...query })
      return withImport(request.world, id, async (ports) => {
        const row = await find(request, { imageImport: id })
        checkPart(row, offset, body.length)
        return append(request, ports, { row, part: body })
      })
    },
  },
}

const find = (request: RequestContext, named: { imageImport: string; project?: string | undefined }) =>
  request.transaction('read', (ctx) => resolve(ctx, kind, named))

async function create(ctx: Ctx, project: ProjectScope, body: BodyOf<'imageImportCreate'>): Promise<Row> {
  const { source, os, version, blockSize, sha256 = null } = body
  const { files } = importsOf(ctx.world)
  checkSource(source, Math.min(importLimits.file, files.most))
  if (await hasImage(ctx.tx, project.id, body.name))
    throw fault.exists(typeOf('image', { projectId: project.id }), body.name)
  const most = importLimits.unfinished
  checkRoom(await countUnfinished(ctx.tx, project.id), {
    noun: 'unfinished image import',
    holder: 'project',
    most,
  })
  const isUpload = source.type === 'upload'
  ctx.wake('imageImports')
  const own = { ...newIdentity(ctx, body), ...newKept(body) }
  const of = { ...own, siloId: project.siloId, projectId: project.id, charged: null }
  const row: Row = {
    ...of,
    os,
    version,
    blockSize,
    url: isUpload ? null : source.url,
    sha256: sha256?.toLowerCase() ?? null,
    state: 'receiving',
    format: null,
    problem: null,
    fileId: ctx.world.ids.uuid(),
    received: 0,
    size: isUpload ? source.size : null,
    validator: null,
    attempts: 0,
    dueAt: isUpload ? null : ctx.now,
    layerId: null,
    // The size of a file to fetch is known when its server answers.
    ...(isUpload ? await chargeImport(ctx, of, { file: source.size }) : {}),
  }
  return insertNamed(ctx, kind, row)
}

function checkSource(source: BodyOf<'imageImportCreate'>['source'], most: number): void {
  if (source.type === 'url') {
    const problem = imageAddressProblem(source.url)
    if (problem !== undefined) throw fault.invalidValue('url', problem)
  } else if (source.size === 0 || source.size > most)
    throw fault.invalidValue('size', `a file has from 1 byte to ${formatBytes(most)}`)
}

const hasImage = async (tx: Tx, scopeId: string, name: string): Promise<boolean> =>
  (await tx
    .selectFrom('image')
    .select('id')
    .where('scopeId', '=', scopeId)
    .where('name', '=', name)
    .executeTakeFirst()) !== undefined

const countUnfinished = async (tx: Tx, projectId: string): Promise<number> =>
  (
    await tx
      .selectFrom(kind)
      .select('id')
      .where('projectId', '=', projectId)
      .where('state', '!=', 'failed')
      .execute()
  ).length

async function remove(ctx: Ctx, row: Row): Promise<void> {
  await deleteRow(kind)(ctx, row)
  await releaseImport(ctx, row)
  ctx.wake('imageImports')
  ctx.wake('layers')
}

function checkPart({ url, state, received, size }: Row, offset: number, length: number): void {
  if (url !== null) throw fault.invalid('the server fetches this image: it takes no parts')
  if (state !== 'receiving') throw fault.invalid(`cannot append to an image import in state ${state}`)
  if (offset !== received) throw fault.conflict(`the import continues at offset ${received}, not ${offset}`)
  if (length === 0) throw fault.invalid('a part has at least one byte')
  if (offset + length > (size ?? 0))
    throw fault.invalid(`the part ends at ${offset + length}, beyond the ${size ?? 0} bytes of the file`)
}

/** The bytes of the disk in a file, if its first part says so. The loop names one that is larger than disks are. */
function diskIn(part: Uint8Array, size: number): number | undefined {
  if (part.length < Math.min(headLength, size)) return undefined
  const found = recogniseImage({ bytes: part.subarray(0, headLength), size })
  const { diskSize = Infinity } = 'problem' in found ? {} : found
  return diskSize > limits.disk.maxSize ? undefined : diskSize
}

/** Stores a part. With the last one, the loop goes to work. */
async function append(
  request: RequestContext,
  { files }: ImportPorts,
  { row: { id, fileId, received: at, size }, part }: { row: Row; part: Uint8Array },
) {
  await stored('image', files.write(fileId, at, part))
  await stored('image', files.flush(fileId))
  const received = at + part.length
  const disk = at === 0 ? diskIn(part, size ?? 0) : undefined
  return request.transaction('write', async (ctx) => {
    const row = await resolve(ctx, kind, { imageImport: id })
    const set = {
      received,
      timeModified: ctx.now,
      // Without it, a disk that is too large would be refused only after the last part.
      ...(disk === undefined ? {} : await chargeImport(ctx, row, { file: size ?? 0, disk })),
      ...(received === size ? { state: 'unpacking' as const, dueAt: ctx.now } : {}),
    }
    const { numUpdatedRows } = await ctx.tx
      .updateTable(kind)
      .set(set)
      .where('id', '=', id)
      .where('state', '=', 'receiving')
      .where('fileId', '=', fileId)
      .where('received', '=', at)
      .executeTakeFirstOrThrow()
    // By another server, with which the lock of this one is not shared.
    if (numUpdatedRows === 0n) throw fault.conflict('another request has sent this part')
    ctx.wake('imageImports')
    return view({ ...row, ...set })
  })
}
