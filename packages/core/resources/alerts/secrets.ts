/** The secrets that sign deliveries to a webhook. No answer has the text of one. */
import { alertLimits } from '@purlin/contract/rules/alerts/limits'
import { resolveInFleet } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { newRowId } from '#/db/row-id.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type { Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { checkRoom } from '../kind/room.ts'
import { deleteRow, insertChild } from '../kind/rows.ts'
import { resolveReceiver } from './targets.ts'

type Secret = Listed<'webhookSecret'>
const kind = 'webhookSecret'

export const webhookSecrets: Family<`webhookSecrets${'List' | 'Add' | 'Delete'}`> = {
  async webhookSecretsList(ctx, { query }) {
    const { id } = await resolveReceiver(ctx, 'webhook', query.receiver)
    return { secrets: (await secretsOf(ctx.tx, [id])).map(secretView) }
  },

  async webhookSecretsAdd(ctx, { query, body }) {
    const receiver = await resolveReceiver(ctx, 'webhook', query.receiver)
    const added = secretView(await addSecret(ctx, receiver, body.secret))
    // Deliveries may have waited for it.
    ctx.wake('alerts')
    return added
  },

  async webhookSecretsDelete(ctx, { params }) {
    await deleteRow(kind)(ctx, await resolveInFleet(ctx, kind, params.secretId))
  },
}

/** Adds a secret to a receiver. Throws 400 for an empty one, 507 for one too many. */
export async function addSecret(ctx: Ctx, receiver: { id: string }, secret: string): Promise<Secret> {
  if (secret === '') throw fault.invalidValue('secret', 'a secret must not be empty')
  const has = (await secretsOf(ctx.tx, [receiver.id])).length
  const { secrets: most } = alertLimits
  checkRoom(has, { noun: 'webhook secret', holder: 'receiver', most })
  const row = { id: newRowId(ctx.world), alertReceiverId: receiver.id, secret, timeCreated: ctx.now }
  return insertChild(ctx, kind, row)
}

/** The secrets of receivers without their texts, oldest first. */
export const secretsOf = (tx: Tx, receiverIds: readonly string[]): Promise<Secret[]> =>
  tx
    .selectFrom(kind)
    .select(['id', 'alertReceiverId', 'timeCreated'])
    .where('alertReceiverId', 'in', receiverIds)
    .orderBy('timeCreated')
    .orderBy('id')
    .execute()

/** A secret as clients see it. */
export const secretView = ({ id, timeCreated }: Secret) => ({ id, timeCreated: new Date(timeCreated) })
