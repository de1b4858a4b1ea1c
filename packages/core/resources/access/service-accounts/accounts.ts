/**
 * Accounts of silos for programs. Each is a user of its silo as well, with the same id, who never signs in: so policies and
 * groups name it, its roles are explained, and the audit log has it as an actor.
 */
import { checkDirectoryRoom } from '#/auth/directory-room.ts'
import { endAllOf } from '#/auth/sessions.ts'
import type { BodyOf, Ctx } from '#/context.ts'
import { insertRow } from '#/db/prepared.ts'
import { addPrincipalWords, forgetPrincipalWords, unmanagedUser } from '#/db/rows/principals.ts'
import type { ServiceAccountTable } from '#/db/tables.ts'
import { plain } from '#/resources/kind/plain.ts'
import {
  deleteRow,
  identityChanges,
  identityView,
  insertNamed,
  newIdentity,
  updateNamed,
} from '#/resources/kind/rows.ts'
import { deleteUser } from '../users.ts'

const view = (row: ServiceAccountTable) => ({ ...identityView(row), disabled: row.isDisabled === 1 })

export const serviceAccounts = plain('serviceAccount', { view, create, update, remove }).handlers

async function create(
  ctx: Ctx,
  silo: { id: string },
  body: BodyOf<'serviceAccountCreate'>,
): Promise<ServiceAccountTable> {
  await checkDirectoryRoom(ctx.world, ctx.tx, { siloId: silo.id, users: 1 })
  const row = { ...newIdentity(ctx, body), siloId: silo.id, isDisabled: 0 }
  await insertNamed(ctx, 'serviceAccount', row)
  const { id, siloId, name: displayName, timeCreated, timeModified } = row
  await insertRow(ctx.tx, 'siloUser', {
    id,
    siloId,
    displayName,
    // No local user has a name with a colon.
    externalId: `service-account:${id}`,
    passwordHash: null,
    ...unmanagedUser,
    isServiceAccount: 1,
    timeCreated,
    timeModified,
  })
  await addPrincipalWords(ctx.tx, [{ id, siloId, displayName }])
  return row
}

async function update(
  ctx: Ctx,
  row: ServiceAccountTable,
  { disabled, ...identity }: BodyOf<'serviceAccountUpdate'>,
): Promise<ServiceAccountTable> {
  const isDisabled = disabled == null ? row.isDisabled : disabled ? 1 : 0
  const after = await updateNamed(ctx, ['serviceAccount', row], {
    ...identityChanges(ctx, identity),
    isDisabled,
  })
  const { id, siloId, name: displayName, timeModified } = after
  const timeDeactivated = isDisabled === 1 ? timeModified : null
  await ctx.tx
    .updateTable('siloUser')
    .set({ displayName, timeModified, ...(isDisabled === row.isDisabled ? {} : { timeDeactivated }) })
    .where('id', '=', id)
    .execute()
  if (displayName !== row.name) {
    await forgetPrincipalWords(ctx.tx, id)
    await addPrincipalWords(ctx.tx, [{ id, siloId, displayName }])
  }
  if (isDisabled === 1) await end(ctx, row)
  return after
}

/** Ends all keys at once, and the tasks that were begun with them. */
async function end(ctx: Ctx, { id }: ServiceAccountTable): Promise<void> {
  await endAllOf(ctx.tx, { id })
  ctx.wake('tasks')
}

async function remove(ctx: Ctx, row: ServiceAccountTable): Promise<void> {
  await deleteUser(ctx, { id: row.id, displayName: row.name })
  await deleteRow('serviceAccount')(ctx, row)
  ctx.wake('tasks')
}
