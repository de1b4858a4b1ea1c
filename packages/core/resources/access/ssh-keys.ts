/** SSH public keys of the signed-in user. No other user can see them. */
import { limits } from '@purlin/contract/rules/limits'
import { sshKeyProblem } from '@purlin/contract/rules/credentials/ssh-key'
import { prepared } from '#/db/prepared.ts'
import type { BodyOf, Ctx } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import { fault } from '#/faults.ts'
import type { SshKeyTable } from '#/db/tables.ts'
import { resolveToRead } from '#/auth/resolve.ts'
import { plain } from '../kind/plain.ts'
import { deleteRow, identityView, insertNamed, newIdentity } from '../kind/rows.ts'

/** A key as clients see it. */
export const sshKeyView = (row: Listed<'sshKey'>) => ({
  ...identityView(row),
  publicKey: row.publicKey,
  siloUserId: row.siloUserId,
})

export const sshKeys = plain('sshKey', { view: sshKeyView, create, remove }).handlers

async function create(
  ctx: Ctx,
  { id }: { id: string },
  body: BodyOf<'currentUserSshKeyCreate'>,
): Promise<SshKeyTable> {
  const problem = sshKeyProblem(body.publicKey)
  if (problem) throw fault.invalidValue('public_key', problem)
  // Kept as sent: a client that compares the answer with its key file would replace the key otherwise.
  return insertNamed(ctx, 'sshKey', { ...newIdentity(ctx, body), siloUserId: id, publicKey: body.publicKey })
}

async function remove(ctx: Ctx, key: SshKeyTable): Promise<void> {
  await ctx.tx.deleteFrom('instanceSshKey').where('sshKeyId', '=', key.id).execute()
  await deleteRow('sshKey')(ctx, key)
}

const selectKeys = prepared<{ userId: string }, { id: string }>((tx, value) =>
  tx
    .selectFrom('sshKey')
    .select('id')
    .where('siloUserId', '=', value('userId'))
    .orderBy('id')
    .limit(limits.instance.sshKeys + 1),
)

/**
 * The actor's keys, one more than an instance may have. Read once, early in the transaction, so that they take no
 * extra round trip.
 */
export const ownKeys = ({ tx, unit, actor }: Ctx): Promise<{ id: string }[]> =>
  (unit.ownKeys ??= selectKeys(tx, { userId: actor.userId }))

/**
 * The actor's keys that a new instance gets: all of them for null or undefined, else those named, each
 * once. Throws 404 for one that is not the actor's, 400 for too many.
 */
export async function keysForInstance(
  ctx: Ctx,
  requested: readonly string[] | null | undefined,
): Promise<{ id: string }[]> {
  const max = limits.instance.sshKeys
  const tooMany = () => fault.invalid(`cannot attach more than ${max} ssh keys to the instance`)
  if (requested == null) {
    const all = await ownKeys(ctx)
    if (all.length > max) throw tooMany()
    return all
  }
  if (requested.length > max) throw tooMany()
  const ids = new Set<string>()
  for (const nameOrId of requested) ids.add((await resolveToRead(ctx, 'sshKey', { sshKey: nameOrId })).id)
  return [...ids].map((id) => ({ id }))
}
