/** Uploads of repositories: in one request, or in parts that continue after a broken connection. */
import { limits, formatBytes } from '@purlin/contract/rules/limits'
import { inPieces } from '#/bytes.ts'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import type { Ctx, Family, InTransaction, RequestContext, World } from '#/context.ts'
import { newRowId } from '#/db/row-id.ts'
import type { UpdateUploadTable } from '#/db/tables.ts'
import { Fault, fault } from '#/faults.ts'
import { plain } from '../kind/plain.ts'
import { checkRoom } from '../kind/room.ts'
import { deleteRow, insertChild } from '../kind/rows.ts'
import { admit, type Received } from './repositories.ts'
import { append, flush, removeFile, updateFilesOf, withFile } from './update-files.ts'

const kind = 'systemUpdateUpload'
const lifetimeMs = limits.update.uploadHours * 3_600_000

const view = ({ id, fileName, size, received, timeCreated, timeExpires }: UpdateUploadTable) => ({
  id,
  fileName,
  size: size ?? received,
  offset: received,
  timeCreated: new Date(timeCreated),
  timeExpires: new Date(timeExpires),
})

const { handlers } = plain(
  kind,
  {
    view,
    // Those that are sent in one request cannot be continued.
    seen: (_, rows) => rows.where('size', 'is not', null),
    async create(ctx, _, { fileName, size }) {
      const most = Math.min(limits.update.repository, updateFilesOf(ctx.world).most)
      if (size === 0 || size > most)
        throw fault.invalidValue('size', `a repository has from 1 byte to ${formatBytes(most)}`)
      return insertChild(ctx, kind, await newUpload(ctx, { fileName, size }))
    },
  },
  ['List', 'Create', 'View'],
)

export const repositoryUploads: Family<
  | keyof typeof handlers
  | 'systemUpdateRepositoryUpload'
  | 'systemUpdateUploadAppend'
  | 'systemUpdateUploadFinish'
  | 'systemUpdateUploadDelete'
> = {
  ...handlers,

  systemUpdateRepositoryUpload: {
    async withoutTransaction(request, { query: { fileName }, body }) {
      const { world } = request
      await request.transaction('read', (ctx) => Promise.resolve(permit(ctx)))
      updateFilesOf(world)
      const { id } = await world.engine.transaction('write', async (tx) => {
        const row = await newUpload({ tx, world, now: request.now }, { fileName, size: null })
        await tx.insertInto(kind).values(row).execute()
        return row
      })
      let isAdmitted = false
      try {
        return await withFile(world, id, async () => {
          const size = await receive(world, id, body)
          const result = await admit(request, { id, fileName, size })
          isAdmitted = result.status === 'inserted'
          return result
        })
      } finally {
        if (!isAdmitted) await forget(world, id)
      }
    },
  },

  systemUpdateUploadAppend: {
    withoutTransaction: (request, { params: { uploadId: id }, query: { offset }, body }) =>
      withFile(request.world, id, async () => {
        const upload = await find(request, id)
        checkPart(upload, offset, body.length)
        await append(request.world, { id, at: offset, bytes: body })
        await flush(request.world, id)
        const received = offset + body.length
        return request.transaction('write', async (ctx) => {
          const row = await resolveInFleet(ctx, kind, id)
          await ctx.tx.updateTable(kind).set({ received }).where('id', '=', id).execute()
          return view({ ...row, received })
        })
      }),
  },

  systemUpdateUploadFinish: {
    withoutTransaction: (request, { params: { uploadId: id } }) =>
      withFile(request.world, id, async () => {
        const { fileName, size, received } = await find(request, id)
        if (size !== received)
          throw fault.invalid(`the upload has ${received} of ${size} bytes: send the rest first`)
        return finish(request, { id, fileName, size })
      }),
  },

  systemUpdateUploadDelete: {
    withoutTransaction: (request, { params: { uploadId: id } }) =>
      withFile(request.world, id, async () => {
        await request.transaction('write', async (ctx) =>
          deleteRow(kind)(ctx, await resolveInFleet(ctx, kind, id)),
        )
        await removeFile(request.world, id)
      }),
  },
}

const find = (request: RequestContext, id: string): Promise<UpdateUploadTable> =>
  request.transaction('read', (ctx) => resolveInFleet(ctx, kind, id))

/** The row of a new upload. Throws 507 if there are too many. */
async function newUpload(
  { tx, world, now }: Pick<Ctx, 'tx' | 'world' | 'now'>,
  { fileName, size }: Pick<UpdateUploadTable, 'fileName' | 'size'>,
): Promise<UpdateUploadTable> {
  const has = (await tx.selectFrom(kind).select('id').execute()).length
  const { uploads: most } = limits.update
  checkRoom(has, { noun: 'repository upload', holder: 'rack', most })
  const times = { timeCreated: now, timeExpires: now + lifetimeMs }
  return { id: newRowId(world), fileName, size, received: 0, ...times }
}

function checkPart({ size, received }: UpdateUploadTable, offset: number, length: number): void {
  if (offset !== received) throw fault.conflict(`the upload continues at offset ${received}, not ${offset}`)
  if (length === 0) throw fault.invalid('a part has at least one byte')
  if (size === null || offset + length > size)
    throw fault.invalid(`the part ends at ${offset + length}, beyond the ${size ?? 0} bytes of the upload`)
}

/** Stores the bytes of a request and returns how many there were. */
async function receive(world: World, id: string, body: AsyncIterable<Uint8Array>): Promise<number> {
  const { most } = updateFilesOf(world)
  let size = 0
  for await (const bytes of inPieces(body)) {
    if (size + bytes.length > most) throw fault.bodyTooLarge(most)
    await append(world, { id, at: size, bytes })
    size += bytes.length
  }
  if (size === 0) throw fault.invalid('the repository is empty')
  await flush(world, id)
  return size
}

/** Of an upload in parts nothing is kept if it is refused. If only a server failed, it can be finished again. */
async function finish(request: RequestContext, file: Received) {
  try {
    const result = await admit(request, file)
    if (result.status === 'already_exists') await forget(request.world, file.id)
    return result
  } catch (error) {
    if (error instanceof Fault && error.status < 500) await forget(request.world, file.id)
    throw error
  }
}

/** Deletes an upload that became no repository, and its bytes. */
async function forget(world: World, id: string): Promise<void> {
  await world.engine.transaction('write', (tx) => dropUpload({ tx }, id))
  await removeFile(world, id)
}

const dropUpload = ({ tx }: Pick<InTransaction, 'tx'>, id: string): Promise<unknown> =>
  tx.deleteFrom(kind).where('id', '=', id).execute()
