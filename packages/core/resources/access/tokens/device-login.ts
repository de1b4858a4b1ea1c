/**
 * The device flow (RFC 8628): a program without a browser shows a code, a signed-in user enters it, and the program
 * fetches an access token. The token is created when it is fetched, so it is never stored, and sent once.
 */
import { limits } from '@purlin/contract/rules/limits'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import { hexOf } from '#/bytes.ts'
import type { BodyOf, Ctx, Family, RequestContext, World } from '#/context.ts'
import { noteTarget, noteMade } from '#/audit/touched.ts'
import { createDeviceLimits } from '#/auth/sign-in/device-limits.ts'
import { logActor } from '#/auth/logged.ts'
import { permitSession, refuseEnded } from '#/auth/recent-session.ts'
import { type IssuedToken, issueAccessToken } from '#/auth/sessions.ts'
import type { DeviceRequestTable, Tx } from '#/db/tables.ts'
import { fault, Fault } from '#/faults.ts'
import { permittedTtl, refuseTooMany } from './access-tokens.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
const lifeSeconds = 300
/** Later, the answer no longer says that a code has expired. */
const keptMs = 15 * 60_000
const pollSeconds = 5
// Without vowels, so that no code is a word, and without Y.
const letters = 'BCDFGHJKLMNPQRSTVWXZ'

const limitsOf = memoizeByObject(createDeviceLimits)

export const deviceLogin: Family<'deviceAuthRequest' | 'deviceAuthConfirm' | 'deviceAccessToken'> = {
  deviceAuthRequest: {
    async withoutTransaction(ctx, { body }) {
      const { world } = ctx
      limitsOf(world).ask(ctx.remote)
      const deviceCode = hexOf(world.ids.bytes(20))
      const userCode = newUserCode(world)
      await world.engine.transaction('write', (tx, pipelineWithCommit) =>
        ctx.audit.attempt({ tx, pipelineWithCommit }, () =>
          addRequest({ ...ctx, tx }, { deviceCode, userCode, ...body }),
        ),
      )
      return {
        deviceCode,
        userCode,
        verificationUri: `${ctx.origin}/device/verify`,
        expiresIn: lifeSeconds,
        interval: pollSeconds,
      }
    },
  },

  deviceAuthConfirm: {
    async withoutTransaction(request, { body }) {
      const who = { remote: request.remote, userId: request.actor?.userId ?? '' }
      const confirmed = await limitsOf(request.world).guess(who, () =>
        request
          .transaction('write', async (ctx) => {
            const confirmed = await confirm(ctx, body.userCode)
            // Its token would outlive a session, or a user, that ended at the same time.
            await refuseEnded(ctx, request.credential)
            return confirmed
          })
          .catch(nullIfMissing),
      )
      if (confirmed === null) throw fault.notFound('device-auth-request', body.userCode)
    },
  },

  deviceAccessToken: {
    async withoutTransaction(ctx, { body }) {
      if (body.grantType !== grantType) throw fault.oauth('unsupported_grant_type')
      const row = await limitsOf(ctx.world).guess(ctx, () => requestOf(ctx, body))
      if (row === null) throw fault.oauth('invalid_grant')
      if (isExpired(row, ctx.now)) throw fault.oauth('expired_token')
      if (row.siloUserId === null)
        throw fault.oauth(
          limitsOf(ctx.world).isTooSoon(row.deviceCodeHash) ? 'slow_down' : 'authorization_pending',
        )
      const { id, token, timeExpires } = await issue(ctx, { ...row, siloUserId: row.siloUserId })
      return {
        accessToken: token,
        tokenType: 'bearer' as const,
        tokenId: id,
        timeExpires: timeExpires === null ? null : new Date(timeExpires),
      }
    },
  },
}

const isExpired = ({ timeCreated }: DeviceRequestTable, now: number): boolean =>
  now - timeCreated > lifeSeconds * 1000

/** `BCDF-GHJK`: each letter is as likely as any other. */
function newUserCode({ ids }: World): string {
  const even = 256 - (256 % letters.length)
  let code = ''
  while (code.length < 9) {
    const [byte = 0] = ids.bytes(1)
    if (byte >= even) continue
    if (code.length === 4) code += '-'
    code += letters[byte % letters.length] ?? ''
  }
  return code
}

/** The significant part of a code: people type it in any case, with or without its dash. */
const userCodeHash = ({ passwords }: World, code: string): string =>
  passwords.fingerprint(`device ${code.toUpperCase().replaceAll(/[^A-Z]/g, '')}`)

type DeviceRequest = BodyOf<'deviceAuthRequest'> & { deviceCode: string; userCode: string }

async function addRequest(
  { tx, world, now }: Pick<RequestContext, 'world' | 'now'> & { tx: Tx },
  { deviceCode, userCode, clientId, ttlSeconds }: DeviceRequest,
): Promise<void> {
  await tx
    .deleteFrom('deviceRequest')
    .where('timeCreated', '<', now - keptMs)
    .execute()
  const { waiting } = await tx
    .selectFrom('deviceRequest')
    .select((eb) => eb.fn.countAll<number | string>().as('waiting'))
    .executeTakeFirstOrThrow()
  if (Number(waiting) >= limits.deviceRequests) throw fault.tooManyAttempts(lifeSeconds)
  const row = {
    id: world.ids.uuid(),
    deviceCodeHash: world.passwords.fingerprint(deviceCode),
    userCodeHash: userCodeHash(world, userCode),
    clientId: clientId.toLowerCase(),
    ttl: ttlSeconds ?? null,
    siloUserId: null,
    timeCreated: now,
  }
  await tx.insertInto('deviceRequest').values(row).execute()
}

/** Lets the program that waits with a code act as the actor. Throws 400, 403, 404, 507. */
async function confirm(ctx: Ctx, userCode: string): Promise<true> {
  // An access token that made another one would outlive its own end and its deletion.
  const actor = permitSession(ctx)
  const { tx, world, now } = ctx
  noteTarget(ctx.unit, 'siloUser', { id: actor.userId, displayName: actor.displayName })
  const row = await tx
    .selectFrom('deviceRequest')
    .selectAll()
    .where('userCodeHash', '=', userCodeHash(world, userCode))
    .where('siloUserId', 'is', null)
    .executeTakeFirst()
  if (!row) throw fault.notFound('device-auth-request', userCode)
  if (isExpired(row, now)) throw fault.invalid('device authorization request expired')
  const ttl = await permittedTtl(ctx, actor.siloId, row.ttl)
  await refuseTooMany(ctx)
  await tx
    .updateTable('deviceRequest')
    .set({ siloUserId: actor.userId, ttl })
    .where('id', '=', row.id)
    .execute()
  return true
}

/** A device's own request; null for a code that is unknown or another program's. */
function requestOf(
  { world }: RequestContext,
  { deviceCode, clientId }: BodyOf<'deviceAccessToken'>,
): Promise<DeviceRequestTable | null> {
  return world.engine.transaction('read', async (tx) => {
    const row = await tx
      .selectFrom('deviceRequest')
      .selectAll()
      .where('deviceCodeHash', '=', world.passwords.fingerprint(deviceCode))
      .where('clientId', '=', clientId.toLowerCase())
      .executeTakeFirst()
    return row ?? null
  })
}

/** Makes the token of a request that a user has confirmed, once. Throws 400. */
async function issue(
  ctx: RequestContext,
  { id, siloUserId, ttl }: { id: string; siloUserId: string; ttl: number | null },
): Promise<IssuedToken> {
  const { world } = ctx
  const user = await world.engine.transaction('read', (tx) =>
    tx
      .selectFrom('siloUser')
      .innerJoin('silo', 'silo.id', 'siloUser.siloId')
      .select(['siloUser.displayName', 'silo.id as siloId', 'silo.name as siloName'])
      .where('siloUser.id', '=', siloUserId)
      .executeTakeFirst(),
  )
  if (!user) throw fault.oauth('invalid_grant')
  const who = { id: siloUserId, name: user.displayName }
  ctx.audit.account({ id: user.siloId, name: user.siloName }, who)
  ctx.audit.signedIn(who)
  const issued = await world.engine.transaction('write', (tx, pipelineWithCommit) =>
    ctx.audit.attempt({ tx, pipelineWithCommit }, async (touches) => {
      const { numDeletedRows } = await tx
        .deleteFrom('deviceRequest')
        .where('id', '=', id)
        .where('siloUserId', '=', siloUserId)
        .executeTakeFirst()
      if (numDeletedRows === 0n || !(await isActive(tx, siloUserId))) throw fault.oauth('invalid_grant')
      const token = await issueAccessToken(world, tx, { siloUserId, ttl })
      noteMade({ touches }, 'accessToken', token)
      return token
    }),
  )
  logActor(ctx.logged, { userId: siloUserId, siloId: user.siloId })
  return issued
}

/** False for a user who is deactivated or deleted. */
const isActive = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx
    .selectFrom('siloUser')
    .select('id')
    .where('id', '=', id)
    .where('timeDeactivated', 'is', null)
    .executeTakeFirst()) !== undefined

/** A code that no device waits with counts as a guess. */
function nullIfMissing(error: unknown): null {
  if (error instanceof Fault && error.status === 404) return null
  throw error
}
