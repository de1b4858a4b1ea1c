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

interface Group {
  id: string
  name: string
}
/** The groups of a user, before and after a sign-in. */
interface GroupChanges {
  /** The sign-in makes them. */
  made: Group[]
  joined: Group[]
  left: Group[]
  kept: Group[]
}
/** The effects of a sign-in. */
export interface SignInPlan {
  user: SiloUserTable
  /** True for a user whom the sign-in makes. */
  isNew: boolean
  groups: GroupChanges
}

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
  if (isJustInTime(proven)) await world.engine.transaction('read', (tx) => checkRoomFor(world, tx, proven))
  const attempt = () =>
    world.engine.transaction('write', async (tx, pipelineWithCommit) => {
      await before(tx)
      const plan = await planOf(ctx, tx, proven)
      if ('problem' in plan) throw fault.unauthorized()
      const { user, isNew, groups } = plan
      ctx.audit.signedIn({ id: user.id, name: user.displayName })
      const token = await ctx.audit.attempt({ tx, pipelineWithCommit }, async (touches) => {
        if (isNew) await addUser(tx, touches, user)
        else noteTarget({ touches }, 'siloUser', user)
        await changeGroups(ctx, { tx, touches }, { user, groups })
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
 * Throws 507 if the silo makes users just in time and has no room for the user or the groups. Before the sign-in, because first sign-ins at the same time
 * would conflict in PostgreSQL if they counted what they add to.
 */
export async function checkRoomFor(world: World, tx: Tx, proven: Proven): Promise<void> {
  if (!isJustInTime(proven)) return
  const { silo, groups } = proven
  const user = await userNamed(tx, proven)
  const known = groups.length > 0 ? await groupsNamed(tx, silo.id, groups) : []
  const adding = { users: user ? 0 : 1, groups: groups.length - known.length }
  await checkDirectoryRoom(world, tx, { siloId: silo.id, ...adding })
}

const isJustInTime = ({ silo }: Proven): boolean => silo.identityMode === 'saml_jit'

/**
 * The effects of a sign-in by now: the user, made if the silo makes users just in time, and their groups. Or the reason why
 * it would not sign anyone in, for administrators.
 */
export async function planOf(
  ctx: Signing,
  tx: Tx,
  proven: Proven,
): Promise<SignInPlan | { problem: string }> {
  const found = await userNamed(tx, proven)
  if (found && found.timeDeactivated !== null) return { problem: 'the user has been deactivated' }
  if (found && found.isServiceAccount !== null) return { problem: 'the name is that of a service account' }
  if (!found && !isJustInTime(proven)) return { problem: noUser[proven.silo.identityMode] }
  const user = found ?? newUser(ctx, proven)
  return { user, isNew: !found, groups: await groupChanges(ctx, tx, { user, proven }) }
}

const noUser: Record<SiloTable['identityMode'], string> = {
  local_only: 'no user has this name, and the silo has local users, whom only administrators create',
  saml_jit: '',
  saml_scim: 'no user has this name, and the silo has only users that its SCIM client creates',
}

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

function newUser({ world, now }: Signing, proven: Proven): SiloUserTable {
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

/** Users of a silo that are made just in time get exactly the groups that the provider names; others keep theirs. */
async function groupChanges(
  { world }: Signing,
  tx: Tx,
  { user, proven }: { user: SiloUserTable; proven: Proven },
): Promise<GroupChanges> {
  const present = await groupsOf(tx, user.id)
  if (!isJustInTime(proven)) return { made: [], joined: [], left: [], kept: present }
  const names = proven.groups
  const found = names.length > 0 ? await groupsNamed(tx, user.siloId, names) : []
  const known = new Set(found.map(({ name }) => name))
  const wanted = new Set(found.map(({ id }) => id))
  const had = new Set(present.map(({ id }) => id))
  return {
    made: names.filter((name) => !known.has(name)).map((name) => ({ id: world.ids.uuid(), name })),
    joined: found.filter(({ id }) => !had.has(id)),
    left: present.filter(({ id }) => !wanted.has(id)),
    kept: present.filter(({ id }) => wanted.has(id)),
  }
}

/** Makes the groups that do not exist, and changes the memberships. Groups without members stay. */
async function changeGroups(
  { now }: Signing,
  { tx, touches }: { tx: Tx; touches: Touches | undefined },
  { user, groups: { made, joined, left } }: Pick<SignInPlan, 'user' | 'groups'>,
): Promise<void> {
  const { siloId, id: userId } = user
  const rows = made.map(({ id, name }) => ({ id, siloId, displayName: name }))
  for (const group of rows) {
    await insertRow(tx, 'siloGroup', { ...group, ...unmanagedGroup, timeCreated: now, timeModified: now })
    noteMade({ touches }, 'siloGroup', group)
  }
  if (rows.length > 0) await addPrincipalWords(tx, rows)
  const idsOf = (groups: readonly Group[]) => groups.map(({ id }) => id)
  if (left.length > 0)
    await tx
      .deleteFrom('groupMember')
      .where('userId', '=', userId)
      .where('groupId', 'in', idsOf(left))
      .execute()
  const entered = idsOf([...joined, ...made])
  if (entered.length > 0)
    await tx
      .insertInto('groupMember')
      .values(entered.map((groupId) => ({ groupId, userId })))
      .execute()
}

const groupsOf = (tx: Tx, userId: string): Promise<Group[]> =>
  tx
    .selectFrom('groupMember')
    .innerJoin('siloGroup', 'siloGroup.id', 'groupMember.groupId')
    .select(['siloGroup.id', 'siloGroup.displayName as name'])
    .where('groupMember.userId', '=', userId)
    .orderBy('siloGroup.displayName')
    .execute()

const groupsNamed = (tx: Tx, siloId: string, names: readonly string[]): Promise<Group[]> =>
  tx
    .selectFrom('siloGroup')
    .select(['id', 'displayName as name'])
    .where('siloId', '=', siloId)
    .where('displayName', 'in', names)
    .execute()
