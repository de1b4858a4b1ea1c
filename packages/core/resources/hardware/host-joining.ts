/** How a host joins: an operator makes a code, and the host proves that it has the code without sending its secret. */
import { hostLimits, joinCodeText, joinText } from '@purlin/contract/rules/credentials/hosts'
import type { Pair } from '@purlin/contract/rules/credentials/certificate-checks'
import { operations } from '@purlin/contract/operations'
import { noteDeleted } from '#/audit/touched.ts'
import { permits } from '#/auth/access.ts'
import { actorsOf } from '#/auth/people.ts'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import { signInLimitsOf } from '#/auth/sign-in/sign-in-limits.ts'
import { hexOf } from '#/bytes.ts'
import { newUnitOfWork, type BodyOf, type Family, type RequestContext, type World } from '#/context.ts'
import { identityOf } from '#/db/identity.ts'
import { mapPage, pageById } from '#/db/lists/pages.ts'
import type { Listed } from '#/db/lists/listed.ts'
import { newRowId } from '#/db/row-id.ts'
import type { HostJoinCodeTable, HostTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import type { FleetAuthority } from '#/ports.ts'
import { checkRoom } from '../kind/room.ts'
import { deleteRow, insertChild } from '../kind/rows.ts'

const kind = 'hostJoinCode'
const secretBytes = 32

const view = (row: Listed<typeof kind>) => ({
  id: row.id,
  timeCreated: new Date(row.timeCreated),
  timeModified: new Date(row.timeModified),
  timeExpires: new Date(row.timeExpires),
  createdBy: row.userName,
})

export const hostJoining: Family<`hostJoinCode${'List' | 'Create' | 'View' | 'Delete'}` | 'hostJoin'> = {
  async hostJoinCodeList(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx.selectFrom(kind).where('timeExpires', '>', ctx.now)
    return mapPage(await pageById(ctx, query, { rows, table: kind, holder: '' }), view)
  },

  async hostJoinCodeView(ctx, { params }) {
    return view(await resolveInFleet(ctx, kind, params.codeId))
  },

  async hostJoinCodeDelete(ctx, { params }) {
    await deleteRow(kind)(ctx, await resolveInFleet(ctx, kind, params.codeId))
  },

  hostJoinCodeCreate: {
    async withoutTransaction(request, { body }) {
      const { world, origin } = request
      await request.transaction('read', async (ctx) => permit(ctx))
      const port = portOf(world)
      const fingerprint = await port.fingerprint((await madeAuthority(world, port)).cert)
      const secret = hexOf(world.ids.bytes(secretBytes))
      return request.transaction('write', async (ctx) => {
        permit(ctx)
        const { tx, actor, now } = ctx
        await tx.deleteFrom(kind).where('timeExpires', '<=', now).execute()
        await checkCount(tx, kind, hostLimits.codes)
        const row = await insertChild(ctx, kind, {
          id: newRowId(world),
          secretHash: world.passwords.fingerprint(secret),
          timeCreated: now,
          timeModified: now,
          timeExpires: now + (body.minutes ?? hostLimits.minutes.usual) * 60_000,
          userId: actor.userId,
          userName: actor.displayName,
          userSiloId: actor.siloId,
          userSiloName: actor.siloName,
        })
        return { ...view(row), code: joinCodeText({ url: origin, id: row.id, fingerprint, secret }) }
      })
    },
  },

  hostJoin: {
    async withoutTransaction(request, { body }) {
      return signInLimitsOf(request.world).answer(request.remote, () => join(request, body))
    },
  },
}

function portOf({ fleetAuthority }: World): FleetAuthority {
  if (!fleetAuthority) throw fault.unavailable('hosts cannot join this control plane')
  return fleetAuthority
}

const nouns = { host: 'host', hostJoinCode: 'join code' } as const

/** Throws 507 if there are as many as there may be. */
async function checkCount(tx: Tx, of: keyof typeof nouns, most: number): Promise<void> {
  const { count } = await tx
    .selectFrom(of)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  checkRoom(Number(count), { noun: nouns[of], holder: 'fleet', most })
}

async function authorityIn({ engine }: World): Promise<Pair | undefined> {
  const row = await engine.transaction('read', (tx) =>
    tx.selectFrom('fleetAuthority').selectAll().executeTakeFirst(),
  )
  return row && { cert: row.certPem, key: row.keyPem }
}

/** The authority of the fleet, which is made for the first code. */
async function madeAuthority(world: World, port: FleetAuthority): Promise<Pair> {
  const known = await authorityIn(world)
  if (known) return known
  const { cert: certPem, key: keyPem } = await port.make()
  const row = { id: 'fleet', certPem, keyPem, timeCreated: world.clock.now() } as const
  await world.engine.transaction('write', (tx) =>
    tx
      .insertInto('fleetAuthority')
      .values(row)
      .onConflict((on) => on.column('id').doNothing())
      .execute(),
  )
  // Another request may have been faster.
  return (await authorityIn(world)) ?? { cert: certPem, key: keyPem }
}

type Joining = BodyOf<'hostJoin'>

/** Signs the certificate of a host that has the code, and ends the code. Throws 400, 507. */
async function join(request: RequestContext, body: Joining) {
  const { world, now, audit } = request
  const code = await codeOf(request, body)
  // The host joins in the name of the operator who made the code.
  audit.signedIn({ id: code.userId, name: code.userName })
  audit.account({ id: code.userSiloId, name: code.userSiloName })
  const authority = await authorityIn(world)
  if (!authority) throw fault.badJoinCode()
  if (!isAddress(body.address))
    throw fault.invalidValue('address', 'an address is a host name or an IP address')
  const id = newRowId(world)
  const port = portOf(world)
  const certificate = await port.certify(authority, { id, publicKey: body.publicKey })
  if (certificate === undefined)
    throw fault.invalidValue('public_key', 'the key must be one of the curve P-256, in PEM')
  const row: HostTable = {
    id,
    address: body.address,
    port: body.port,
    fingerprint: await port.fingerprint(certificate),
    state: 'silent',
    timeStateChanged: now,
    timeCreated: now,
    timeModified: now,
  }
  await world.engine.transaction('write', (tx, pipelineWithCommit) =>
    audit.attempt({ tx, pipelineWithCommit }, async (touches) => {
      const unit = newUnitOfWork({ touches })
      const { numDeletedRows } = await tx.deleteFrom(kind).where('id', '=', code.id).executeTakeFirst()
      if (numDeletedRows === 0n) throw fault.badJoinCode()
      noteDeleted(unit, kind, code)
      await checkCount(tx, 'host', hostLimits.hosts)
      await insertChild({ tx, unit, world }, 'host', row)
    }),
  )
  request.wake('hardware')
  return { id, fleetId: await identityOf(world), certificate, authority: authority.cert }
}

/** The code that a proof is of. Throws the same for one that is unknown, has expired, is another, or counts for nothing. */
async function codeOf({ world, now }: RequestContext, body: Joining): Promise<HostJoinCodeTable> {
  const { engine, passwords } = world
  const code = await engine.transaction('read', (tx) =>
    tx
      .selectFrom(kind)
      .selectAll()
      .where('id', '=', body.codeId)
      .where('timeExpires', '>', now)
      .executeTakeFirst(),
  )
  // Comparing fingerprints reveals nothing by its duration.
  const digest = (text: string) => passwords.fingerprint(text)
  const expected = passwords.sign(code?.secretHash ?? '', joinText(body))
  if (!code || digest(expected) !== digest(body.proof)) throw fault.badJoinCode()
  if (!(await mayStillMake(world, code, now))) throw fault.badJoinCode()
  return code
}

/** False if the operator who made a code could not make one now. */
async function mayStillMake({ engine }: World, { userId }: HostJoinCodeTable, now: number): Promise<boolean> {
  return engine.transaction('read', async (tx) => {
    const [maker] = await actorsOf({ tx, now }, [userId])
    const user = await tx
      .selectFrom('siloUser')
      .select('id')
      .where('id', '=', userId)
      .where('timeDeactivated', 'is', null)
      .executeTakeFirst()
    return (
      maker !== undefined && user !== undefined && permits(maker.actor, operations.hostJoinCodeCreate.allow)
    )
  })
}

/** A host name, or an IP address. */
const isAddress = (text: string): boolean => /^[0-9A-Za-z.:_-]+$/.test(text)
