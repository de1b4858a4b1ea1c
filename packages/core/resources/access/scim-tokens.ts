/** Tokens of the programs that manage users and groups of a silo. Only their fingerprints are stored. */
import { scimTokensOfSilo } from '@purlin/contract/rules/counts'
import { noteDeleted } from '#/audit/touched.ts'
import { scimTokenPrefix } from '#/auth/scim-clients.ts'
import { resolveInFleet } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type { SiloTable } from '#/db/tables.ts'
import { hexOf } from '#/bytes.ts'
import { fault } from '#/faults.ts'
import { plain } from '../kind/plain.ts'
import { checkRoom } from '../kind/room.ts'
import { insertChild } from '../kind/rows.ts'

const view = ({ id, label, timeCreated, timeExpires, timeLastUsed }: Listed<'scimToken'>) => ({
  id,
  name: label,
  timeCreated: new Date(timeCreated),
  timeExpires: dateOf(timeExpires),
  timeLastUsed: dateOf(timeLastUsed),
})

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

const tokens = plain('scimToken', { view, check: checkScim }, ['View', 'Delete'])

export const scimTokens: Family<
  `scimToken${'List' | 'Create' | 'DeleteAll'}` | keyof typeof tokens.handlers
> = {
  ...tokens.handlers,

  async scimTokenList(ctx, { query }) {
    const silo = await scimSilo(ctx, query)
    const rows = await tokensOf(ctx, silo).orderBy('timeCreated').orderBy('id').execute()
    return rows.map(view)
  },

  async scimTokenCreate(ctx, { query }) {
    const silo = await scimSilo(ctx, query)
    const { world, now } = ctx
    const has = (await tokensOf(ctx, silo).execute()).length
    checkRoom(has, { noun: 'SCIM token', holder: 'silo', most: scimTokensOfSilo })
    const timeExpires = earlier(endIn(query, now), await endOfCredential(ctx))
    const secret = hexOf(world.ids.bytes(20))
    const bearerToken = `${scimTokenPrefix}${secret}`
    const row = {
      id: world.ids.uuid(),
      siloId: silo.id,
      tokenHash: world.passwords.fingerprint(bearerToken),
      timeCreated: now,
      timeExpires,
      label: nameIn(query),
      timeLastUsed: null,
    }
    await insertChild(ctx, 'scimToken', row)
    return { ...view(row), bearerToken }
  },

  async scimTokenDeleteAll(ctx, { query }) {
    const silo = await scimSilo(ctx, query)
    for (const row of await tokensOf(ctx, silo).orderBy('id').execute())
      noteDeleted(ctx.unit, 'scimToken', row)
    await ctx.tx.deleteFrom('scimToken').where('siloId', '=', silo.id).execute()
  },
}

/** A name without spaces around it, null for none. Throws 400. */
function nameIn({ name = '' }: { name?: string | undefined }): string | null {
  if (/\p{Cc}/u.test(name)) throw fault.invalidValue('name', 'a name may have no control characters')
  return name.trim() === '' ? null : name.trim()
}

/** When a token shall expire, null for never. Throws 400 for a time that has passed. */
function endIn({ timeExpires }: { timeExpires?: Date | undefined }, now: number): number | null {
  if (timeExpires && timeExpires.getTime() <= now)
    throw fault.invalidValue('time_expires', 'a token must expire in the future')
  return timeExpires?.getTime() ?? null
}

/** The earlier of two times, of which null is never. */
const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/** When the access token of the caller expires: one that it makes is not valid for longer. Null for a session. */
async function endOfCredential({ tx, actor }: Ctx): Promise<number | null> {
  if (actor.authMethod !== 'access_token') return null
  const token = await tx
    .selectFrom('accessToken')
    .select('timeExpires')
    .where('siloUserId', '=', actor.userId)
    .where('id', '=', actor.sessionId)
    .executeTakeFirst()
  return token?.timeExpires ?? null
}

/** The silo that an operation on SCIM tokens is about. Throws 400, 403, 404. */
async function scimSilo(ctx: Ctx, { silo }: { silo: string }): Promise<SiloTable> {
  const row = await resolveInFleet(ctx, 'silo', silo)
  checkScim(row)
  return row
}

function checkScim({ identityMode }: SiloTable): void {
  if (identityMode !== 'saml_scim')
    throw fault.invalid('SCIM tokens are only for silos whose users are managed by SCIM')
}

const tokensOf = ({ tx }: Ctx, { id }: SiloTable) =>
  tx.selectFrom('scimToken').selectAll().where('siloId', '=', id)
