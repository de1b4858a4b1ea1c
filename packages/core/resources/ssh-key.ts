/** SSH public keys of the signed-in user. Nobody else sees or uses them. */
import { limits } from '@purlin/contract/rules/limits'
import { isUuid } from '@purlin/contract/rules/names'
import { sshKeyProblem } from '@purlin/contract/rules/ssh-key'
import type { Selectable } from 'kysely'
import type { Ctx, Family } from '../context.ts'
import type { SshKeyTable } from '../db/tables.ts'
import { fault } from '../faults.ts'
import { mapPage, pageByName } from '../pages.ts'
import { permit } from '../resolve.ts'
import { headView, newHead, orExists } from '../rows.ts'

type Row = Selectable<SshKeyTable>

/** A key as clients see it. */
export const sshKeyView = (row: Row) => ({
  ...headView(row),
  publicKey: row.publicKey,
  siloUserId: row.siloUserId,
})

export const sshKeys: Family<
  'currentUserSshKeyList' | 'currentUserSshKeyCreate' | 'currentUserSshKeyView' | 'currentUserSshKeyDelete'
> = {
  async currentUserSshKeyList(ctx, { query }) {
    permit(ctx)
    return mapPage(await pageByName(ctx, query, ownKeys(ctx)), sshKeyView)
  },

  async currentUserSshKeyCreate(ctx, { body }) {
    permit(ctx)
    const problem = sshKeyProblem(body.publicKey)
    if (problem) throw fault.invalidValue('public_key', problem)
    const row = { ...newHead(ctx, body), siloUserId: ctx.actor.userId, publicKey: body.publicKey.trim() }
    await orExists('ssh-key', body.name, ctx.tx.insertInto('sshKey').values(row).execute())
    return sshKeyView(row)
  },

  async currentUserSshKeyView(ctx, { params }) {
    permit(ctx)
    return sshKeyView(await ownKey(ctx, params.sshKey))
  },

  async currentUserSshKeyDelete(ctx, { params }) {
    permit(ctx)
    const { id } = await ownKey(ctx, params.sshKey)
    await ctx.tx.deleteFrom('instanceSshKey').where('sshKeyId', '=', id).execute()
    await ctx.tx.deleteFrom('sshKey').where('id', '=', id).execute()
  },
}

const ownKeys = (ctx: Ctx) =>
  ctx.tx.selectFrom('sshKey').selectAll().where('siloUserId', '=', ctx.actor.userId)

async function ownKey(ctx: Ctx, nameOrId: string): Promise<Row> {
  const keys = ownKeys(ctx)
  const row = await (
    isUuid(nameOrId) ? keys.where('id', '=', nameOrId.toLowerCase()) : keys.where('name', '=', nameOrId)
  ).executeTakeFirst()
  if (!row) throw fault.notFound('ssh-key', nameOrId)
  return row
}

/**
 * The actor's keys that a new instance gets: all of them for null or undefined, else those named, each
 * once. Throws 404 for one that is not the actor's, 400 for too many.
 */
export async function keysForInstance(
  ctx: Ctx,
  wanted: readonly string[] | null | undefined,
): Promise<{ id: string }[]> {
  const max = limits.instance.sshKeys
  const tooMany = () => fault.invalid(`cannot attach more than ${max} ssh keys to the instance`)
  if (wanted == null) {
    const all = await ownKeys(ctx)
      .clearSelect()
      .select('id')
      .orderBy('id')
      .limit(max + 1)
      .execute()
    if (all.length > max) throw tooMany()
    return all
  }
  if (wanted.length > max) throw tooMany()
  const ids = new Set<string>()
  for (const nameOrId of wanted) ids.add((await ownKey(ctx, nameOrId)).id)
  return [...ids].map((id) => ({ id }))
}
