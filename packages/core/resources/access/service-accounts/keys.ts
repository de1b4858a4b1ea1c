/** Keys of service accounts: access tokens of their users, with a name, an end, and limits. Only fingerprints are stored. */
import type { Result } from '@purlin/contract/op'
import type { Operations } from '@purlin/contract/operations'
import { limits } from '@purlin/contract/rules/limits'
import { noteDeleted, noteMade } from '#/audit/touched.ts'
import { permitSession } from '#/auth/recent-session.ts'
import { resolveInFleet, resolveToRead, resolveWithin } from '#/auth/resolve.ts'
import { endAccessToken, issueAccessToken } from '#/auth/sessions.ts'
import type { Ctx, Family } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import { mapPage, pageById } from '#/db/lists/pages.ts'
import type { ServiceAccountTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { checkRoom } from '#/resources/kind/room.ts'
import { permittedTtl, valid } from '../tokens/access-tokens.ts'
import { permitAs } from '../local/silo.ts'

type Key = Result<Operations['serviceAccountKeyList']>['items'][number]

const view = (row: Listed<'accessToken'>): Key => ({
  id: row.id,
  name: row.label ?? '',
  readOnly: row.isReadOnly === 1,
  projectId: row.onlyProjectId,
  timeCreated: new Date(row.timeCreated),
  timeExpires: new Date(row.timeExpires ?? row.timeCreated),
  timeLastUsed: row.timeLastUsed === null ? null : new Date(row.timeLastUsed),
})

export const serviceAccountKeys: Family<`serviceAccountKey${'List' | 'Create' | 'Delete'}`> = {
  async serviceAccountKeyList(ctx, { params, query }) {
    const { id } = await accountOf(ctx, params, query)
    return mapPage(await pageById(ctx, query, { rows: keysOf(ctx, id), table: 'accessToken' }), view)
  },

  async serviceAccountKeyCreate(ctx, { params, query, body: { name, ttlSeconds, readOnly, project } }) {
    const account = await accountOf(ctx, params, query)
    // A token that made a key would outlive its own end.
    permitSession(ctx)
    await permitAs(ctx, account)
    if (account.isDisabled === 1) throw fault.disabledAccount()
    const onlyProjectId = project == null ? null : await projectIn(ctx, account, project)
    const ttl = await permittedTtl(ctx, account.siloId, ttlSeconds)
    const taken = await keysOf(ctx, account.id).select(['id', 'label']).execute()
    if (taken.some((key) => key.label === name)) throw fault.exists('service-account-key', name)
    checkRoom(taken.length, { noun: 'key', holder: 'service account', most: limits.serviceAccount.keys })
    const key = { label: name, isReadOnly: readOnly ? 1 : 0, onlyProjectId }
    const { token, ...issued } = await issueAccessToken(ctx.world, ctx.tx, {
      siloUserId: account.id,
      ttl,
      key,
    })
    noteMade(ctx.unit, 'accessToken', { id: issued.id, label: name })
    return { ...view({ ...key, ...issued, timeCreated: ctx.now, timeLastUsed: null }), key: token }
  },

  async serviceAccountKeyDelete(ctx, { params, query }) {
    const { id: userId } = await accountOf(ctx, params, query)
    const id = params.keyId.toLowerCase()
    const key = await keysOf(ctx, userId).select('label').where('id', '=', id).executeTakeFirst()
    if (!(await endAccessToken(ctx.tx, { userId, id })))
      throw fault.notFound('service-account-key', params.keyId)
    ctx.wake('tasks')
    noteDeleted(ctx.unit, 'accessToken', { id, ...key })
  },
}

async function accountOf(
  ctx: Ctx,
  { serviceAccount }: { serviceAccount: string },
  { silo }: { silo: string },
): Promise<ServiceAccountTable> {
  const { id } = await resolveInFleet(ctx, 'silo', silo)
  return resolveWithin(ctx, ['serviceAccount', serviceAccount], id)
}

const keysOf = (ctx: Ctx, accountId: string) =>
  valid(ctx, ctx.tx.selectFrom('accessToken').where('siloUserId', '=', accountId))

/** The id of a project of the account's silo that the caller sees. Throws 404. */
async function projectIn(ctx: Ctx, { siloId }: ServiceAccountTable, project: string): Promise<string> {
  const row = await resolveToRead(ctx, 'project', { project })
  if (row.siloId !== siloId) throw fault.notFound('project', project)
  return row.id
}
