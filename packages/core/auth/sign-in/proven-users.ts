/** Signs in a person whom an identity provider has named: which user that is, in which groups, and the session. */
import { addPrincipalWords, nameKeyOf, unmanagedGroup, unmanagedUser } from '#/db/rows/principals.ts'
import { insertRow } from '#/db/prepared.ts'
import { UniqueViolation } from '#/db/engine.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import type { SiloTable, SiloUserTable, Tx } from '#/db/tables.ts'
import { noteMade, noteTarget } from '#/audit/touched.ts'
import type { RequestContext, Touches, World } from '#/context.ts'
import { fault } from '#/faults.ts'
import { checkDirectoryRoom } from '../directory-room.ts'
import { logActor } from '../logged.ts'
import { sessionsOf, type Starting } from '../sessions.ts'

/** A person as an identity provider names them. */
export interface Proven {
  silo: Pick<SiloTable, 'id' | 'name' | 'identityMode'>
  subject: string
  groups: readonly string[]
  /** The name that people see of a user who is made now; the subject unless given. */
  displayName?: string
  session?: Starting['provider']
}

type Signing = Pick<RequestContext, 'world' | 'now'>

/**
 * Starts a session and sets its cookie. Users of a silo that are made just in time, and their groups, are as the provider
 * says; in other silos the user must exist, and groups stay as they are. `before` runs in the same transaction. Throws
 * 401, 507 if the silo has no room for what is new, and what `before` throws.
 */
export async function signInProven(
  ctx: RequestContext,
  proven: Proven,
  before: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { world, secure } = ctx
  const sessions = sessionsOf(world)
  if (isJustInTime(proven)) await checkRoomFor(world, proven)
  const attempt = () =>
    world.engine.transaction('write', async (tx, pipelineWithCommit) => {
      await before(tx)
      const found = await userNamed(tx, proven)
      if (found && (found.timeDeactivated !== null || found.isServiceAccount !== null))
        throw fault.unauthorized()
      const user = found ?? newUser(ctx, proven)
      ctx.audit.signedIn({ id: user.id, name: user.displayName })
      const token = await ctx.audit.attempt({ tx, pipelineWithCommit }, async (touches) => {
        if (found) noteTarget({ touches }, 'siloUser', user)
        else await addUser(tx, touches, user)
        if (isJustInTime(proven)) await joinGroups(ctx, { tx, touches }, { user, names: proven.groups })
        // A session that the browser had before is over: it never gets to be another user's.
        return sessions.start(tx, user.id, {
          client: ctx,
          ...(proven.session ? { provider: proven.session } : {}),
        })
      })
      return { token, user }
    })
  // Another sign-in has made the same user or group at the same time.
  const repeated = () =>
    attempt().catch((error: unknown) => {
      if (error instanceof UniqueViolation) return attempt()
      throw error
    })
  const { token, user } = await evenWhileFull(repeated)
  logActor(ctx.logged, { userId: user.id, siloId: proven.silo.id })
  ctx.cookies.push(sessions.cookie(token, secure))
}

/**
 * Throws 507 if the silo has no room for the user or the groups. Before the sign-in, because first sign-ins at the same time
 * would conflict in PostgreSQL if they counted what they add to.
 */
const checkRoomFor = (world: World, proven: Proven): Promise<void> =>
  world.engine.transaction('read', async (tx) => {
    const { silo, groups } = proven
    const user = await userNamed(tx, proven)
    const known = groups.length > 0 ? await groupsNamed(tx, silo.id, groups) : []
    const adding = { users: user ? 0 : 1, groups: groups.length - known.length }
    await checkDirectoryRoom(world, tx, { siloId: silo.id, ...adding })
  })

const isJustInTime = ({ silo }: Proven): boolean => silo.identityMode === 'saml_jit'

/** The user whom a provider names; undefined without one. */
const userNamed = (tx: Tx, { silo, subject }: Proven): Promise<SiloUserTable | undefined> =>
  tx
    .selectFrom('siloUser')
    .selectAll()
    .where('siloId', '=', silo.id)
    .where((eb) =>
      silo.identityMode === 'saml_scim'
        ? eb.or([eb('nameKey', '=', nameKeyOf(subject)), eb('externalId', '=', subject)])
        : eb('externalId', '=', subject),
    )
    .executeTakeFirst()

/** Throws 401 where users are not made just in time. */
function newUser({ world, now }: Signing, proven: Proven): SiloUserTable {
  if (!isJustInTime(proven)) throw fault.unauthorized()
  const { silo, subject, displayName = subject } = proven
  return {
    id: world.ids.uuid(),
    siloId: silo.id,
    externalId: subject,
    displayName,
    passwordHash: null,
    ...unmanagedUser,
    timeCreated: now,
    timeModified: now,
  }
}

async function addUser(tx: Tx, touches: Touches | undefined, user: SiloUserTable): Promise<void> {
  await insertRow(tx, 'siloUser', user)
  await addPrincipalWords(tx, [user])
  noteMade({ touches }, 'siloUser', user)
}

/** Makes a user a member of exactly these groups. Groups that do not exist are made; those without members stay. */
async function joinGroups(
  { world, now }: Signing,
  { tx, touches }: { tx: Tx; touches: Touches | undefined },
  { user, names }: { user: SiloUserTable; names: readonly string[] },
): Promise<void> {
  const { siloId, id: userId } = user
  const found = names.length > 0 ? await groupsNamed(tx, siloId, names) : []
  const known = new Set(found.map(({ displayName }) => displayName))
  const made = names.filter((name) => !known.has(name)).map((name) => newGroup(world, siloId, name))
  for (const group of made) {
    await insertRow(tx, 'siloGroup', { ...group, ...unmanagedGroup, timeCreated: now, timeModified: now })
    noteMade({ touches }, 'siloGroup', group)
  }
  if (made.length > 0) await addPrincipalWords(tx, made)
  const wanted = new Set([...found, ...made].map(({ id }) => id))
  const present = await tx.selectFrom('groupMember').select('groupId').where('userId', '=', userId).execute()
  const had = new Set(present.map(({ groupId }) => groupId))
  const left = [...had].filter((id) => !wanted.has(id))
  const joined = [...wanted].filter((id) => !had.has(id))
  if (left.length > 0)
    await tx.deleteFrom('groupMember').where('userId', '=', userId).where('groupId', 'in', left).execute()
  if (joined.length > 0)
    await tx
      .insertInto('groupMember')
      .values(joined.map((groupId) => ({ groupId, userId })))
      .execute()
}

const groupsNamed = (tx: Tx, siloId: string, names: readonly string[]) =>
  tx
    .selectFrom('siloGroup')
    .select(['id', 'displayName'])
    .where('siloId', '=', siloId)
    .where('displayName', 'in', names)
    .execute()

const newGroup = ({ ids }: World, siloId: string, displayName: string) => ({
  id: ids.uuid(),
  siloId,
  displayName,
})
