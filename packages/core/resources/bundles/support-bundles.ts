/** Support bundles: a request makes and deletes rows, and a loop their zip files. */
import { bundleLimits } from '@purlin/contract/rules/support-bundles'
import { bytesOf } from '#/bytes.ts'
import { noteDeleted } from '#/audit/touched.ts'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import type { Family, FileAnswer, RequestContext } from '#/context.ts'
import { mapPage, pageByCreation } from '#/db/lists/pages.ts'
import { newRowId } from '#/db/row-id.ts'
import type { SupportBundleTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { insertChild, updateUnnamed } from '../kind/rows.ts'
import { sledsInService } from '../hardware/sled-rows.ts'
import { bundlesOf, bytesBetween, filesIn, partOf, type Zip } from './bundle-files.ts'

const kind = 'supportBundle'
/** Why a request has made one. */
const byRequest = 'Created by external API'

const view = (row: SupportBundleTable) => ({
  id: row.id,
  timeCreated: new Date(row.timeCreated),
  state: row.state,
  reasonForCreation: row.reasonForCreation,
  reasonForFailure: row.reasonForFailure,
  userComment: row.userComment,
})

/** A comment as it is stored. Throws 400 for one that is too long. */
function commentOf({ userComment = null }: { userComment?: string | null | undefined }): string | null {
  if (userComment !== null && bytesOf(userComment).length > bundleLimits.comment)
    throw fault.invalid(`User comment cannot exceed ${bundleLimits.comment} bytes`)
  return userComment
}

/** The number of bundles that there is room for: as many as disks for instances in service, and one at least. */
async function mostBundles(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('physicalDisk')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('formFactor', '=', 'u2')
    .where('policy', '=', 'in_service')
    .where('sledId', 'in', sledsInService(tx).select('id'))
    .executeTakeFirstOrThrow()
  return Math.max(1, Number(count))
}

type Verb =
  | 'List'
  | 'Create'
  | 'View'
  | 'Update'
  | 'Delete'
  | 'Index'
  | 'Download'
  | 'Head'
  | 'DownloadFile'
  | 'HeadFile'

export const supportBundles: Family<`supportBundle${Verb}`> = {
  async supportBundleList(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx.selectFrom(kind)
    return mapPage(await pageByCreation(ctx, query, { rows, table: kind, holder: '' }), view)
  },

  async supportBundleCreate(ctx, { body }) {
    permit(ctx)
    const { tx, world, now } = ctx
    const userComment = commentOf(body)
    if (!world.bundles) throw fault.unavailable('this server has no store of support bundles')
    const most = await mostBundles(tx)
    const has = (await tx.selectFrom(kind).select('id').limit(most).execute()).length
    if (has >= most)
      throw fault.noCapacity(
        `there is room for ${most} support bundles, one for each U.2 disk in service: delete old ones first`,
      )
    ctx.wake('bundles')
    return view(
      await insertChild(ctx, kind, {
        id: newRowId(world),
        state: 'collecting',
        reasonForCreation: byRequest,
        reasonForFailure: null,
        userComment,
        timeCreated: now,
        fileId: null,
        size: null,
        leaseUntil: 0,
      }),
    )
  },

  async supportBundleView(ctx, { params }) {
    return view(await resolveInFleet(ctx, kind, params.bundleId))
  },

  async supportBundleUpdate(ctx, { params, body }) {
    const row = await resolveInFleet(ctx, kind, params.bundleId)
    return view(await updateUnnamed(ctx, [kind, row], { userComment: commentOf(body) }))
  },

  async supportBundleDelete(ctx, { params }) {
    const row = await resolveInFleet(ctx, kind, params.bundleId)
    await ctx.tx.updateTable(kind).set({ state: 'destroying' }).where('id', '=', row.id).execute()
    noteDeleted(ctx.unit, kind, row)
    ctx.wake('bundles')
  },

  supportBundleIndex: {
    async withoutTransaction(request, { params: { bundleId } }) {
      const zip = await complete(request, bundleId)
      const paths = [...(await filesIn(bundlesOf(request.world), zip)).keys()]
      const text = bytesOf(paths.map((path) => `${path}\n`).join(''))
      request.answer.file = {
        contentType: typeOf('index.txt'),
        fileName: `support-bundle-${bundleId}.txt`,
        size: text.length,
        tag: tagOf(zip),
        read: (from, to) => partOf(single(text), { from, to }),
      }
    },
  },
  supportBundleDownload: {
    withoutTransaction: (request, { params }) => answerZip(request, params.bundleId),
  },
  supportBundleHead: {
    withoutTransaction: (request, { params }) => answerZip(request, params.bundleId),
  },
  supportBundleDownloadFile: { withoutTransaction: (request, { params }) => answerFile(request, params) },
  supportBundleHeadFile: { withoutTransaction: (request, { params }) => answerFile(request, params) },
}

/** The zip file of a bundle. Throws 400 for a bundle without one. */
const complete = (request: RequestContext, bundleId: string): Promise<Zip> =>
  request.transaction('read', async (ctx) => {
    const { state, fileId, size } = await resolveInFleet(ctx, kind, bundleId)
    if (state !== 'active' || fileId === null || size === null)
      throw fault.invalid('Cannot download bundle in non-active state')
    return { fileId, size }
  })

/** A zip file never changes. */
const tagOf = ({ fileId }: Zip): string => `"${fileId}"`

async function answerZip(request: RequestContext, bundleId: string): Promise<void> {
  const zip = await complete(request, bundleId)
  const { files } = bundlesOf(request.world)
  // It throws before the answer begins if the file is gone.
  await files.read(zip.fileId, 0, 1)
  request.answer.file = {
    contentType: 'application/zip',
    fileName: `support-bundle-${bundleId}.zip`,
    size: zip.size,
    tag: tagOf(zip),
    read: (from, to) => bytesBetween(files, zip.fileId, { from, to }),
  }
}

async function answerFile(
  request: RequestContext,
  { bundleId, file: path }: { bundleId: string; file: string },
): Promise<void> {
  const zip = await complete(request, bundleId)
  const file = (await filesIn(bundlesOf(request.world), zip)).get(path)
  if (!file) throw fault.notFound('support-bundle-file', path)
  const name = path.split('/').at(-1) ?? path
  request.answer.file = {
    contentType: typeOf(name),
    fileName: name,
    size: file.size,
    tag: tagOf(zip),
    read: (from, to) => partOf(file.content(), { from, to }),
  } satisfies FileAnswer
}

const typeOf = (name: string): string =>
  name.endsWith('.json')
    ? 'application/json'
    : name.endsWith('.txt')
      ? 'text/plain; charset=utf-8'
      : 'application/octet-stream'

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}
