/** Tests of identity providers, as their administrators begin and view them. Decision 0081. */
import { limits } from '@purlin/contract/rules/limits'
import type { Role } from '@purlin/contract/rules/roles'
import type { Result } from '@purlin/contract/op'
import type { Operations } from '@purlin/contract/operations'
import { actorFrom, isExpired } from '#/auth/actors.ts'
import { mayRead, type Place } from '#/auth/explain.ts'
import { isSession } from '#/auth/recent-session.ts'
import { permitOn } from '#/auth/resolve.ts'
import { insertTest, type TestOutcome } from '#/auth/sign-in/sign-in-tests.ts'
import { noteTarget } from '#/audit/touched.ts'
import type { Ctx, Family, RequestContext } from '#/context.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import type { IdentityProviderTable, SignInTestTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { oidcOfProvider } from '#/resources/silos/oidc-providers.ts'
import { providerRow } from '#/resources/silos/provider-rows.ts'
import { samlOfProvider } from '#/resources/silos/saml-providers.ts'
import { oidcRequest } from '../oidc-login.ts'
import { samlRequest } from '../saml-login.ts'

type Names = { siloName: string; providerName: string }
type View = Result<Operations['signInTestView']>

export const signInTests: Family<'signInTestBegin' | 'signInTestView'> = {
  signInTestBegin: {
    async withoutTransaction(request, input) {
      const find = async (ctx: Ctx) => {
        const row = await providerRow(ctx, 'any', input)
        if (!isSession(ctx.actor)) throw fault.forbidden()
        return row
      }
      const { names, row } = await request.transaction('read', async (ctx) => {
        const found = await find(ctx)
        return { row: found, names: await namesOf(ctx, found) }
      })
      const { id: requestId, url, cookie } = await begin[row.providerType](request, { names, id: row.id })
      const test = await request.transaction('write', async (ctx) => {
        const { id: providerId } = await find(ctx)
        const { userId: siloUserId, sessionId } = ctx.actor
        return insertTest(ctx.tx, ctx.world, { requestId, providerId, siloUserId, sessionId })
      })
      request.cookies.push(cookie)
      return { id: test.id, url, timeExpires: new Date(test.timeExpires) }
    },
  },

  async signInTestView(ctx, { params: { testId } }) {
    const { test, provider } = await ownTest(ctx, testId)
    const { id, name, providerType: protocol } = provider
    const outcome = test.outcomeJson === null ? null : (JSON.parse(test.outcomeJson) as TestOutcome)
    const roles = await rolesIn(ctx, outcome?.plan ?? null)
    return {
      id: test.id,
      timeCreated: new Date(test.timeCreated),
      timeExpires: new Date(test.timeExpires),
      providerId: id,
      providerName: name,
      protocol,
      ...outcomeView(outcome),
      ...roles,
    }
  },
}

/** How a browser asks a provider of each protocol. */
const begin = {
  saml: async (ctx: RequestContext, { names, id }: { names: Names; id: string }) => {
    const saml = await ctx.world.engine.transaction('read', (tx) => samlOfProvider(tx, id))
    return samlRequest(ctx, { names, saml, use: 'test' })
  },
  oidc: async (ctx: RequestContext, { names, id }: { names: Names; id: string }) => {
    const oidc = await ctx.world.engine.transaction('read', (tx) => oidcOfProvider(tx, id))
    return oidcRequest(ctx, { names, oidc, use: 'test' })
  },
}

async function namesOf({ tx }: Ctx, { siloId, name }: IdentityProviderTable): Promise<Names> {
  const silo = await tx.selectFrom('silo').select('name').where('id', '=', siloId).executeTakeFirstOrThrow()
  return { siloName: silo.name, providerName: name }
}

/** A test that the session has begun, of a provider that the actor may still change. Throws 403, 404. */
async function ownTest(
  ctx: Ctx,
  id: string,
): Promise<{ test: SignInTestTable; provider: IdentityProviderTable }> {
  const { tx, actor, now } = ctx
  const test = await tx
    .selectFrom('signInTest')
    .selectAll()
    .where('id', '=', id.toLowerCase())
    .where('siloUserId', '=', actor.userId)
    .where('sessionId', '=', actor.sessionId)
    .where('timeExpires', '>', now)
    .executeTakeFirst()
  const provider =
    test &&
    (await tx.selectFrom('identityProvider').selectAll().where('id', '=', test.providerId).executeTakeFirst())
  if (!test || !provider) throw fault.notFound('sign-in-test', id)
  noteTarget(ctx.unit, 'identityProvider', provider)
  permitOn(ctx, { siloId: provider.siloId })
  return { test, provider }
}

function outcomeView(
  outcome: TestOutcome | null,
): Pick<View, 'outcome' | 'reason' | 'answer' | 'user' | 'groups'> {
  if (!outcome) return { outcome: 'waiting', reason: null, answer: null, user: null, groups: [] }
  const { reason, said, plan } = outcome
  return {
    outcome: reason === null ? 'accepted' : 'refused',
    reason,
    answer: said && {
      ...said,
      timeIssued: dateOf(said.timeIssued),
      timeValidFrom: dateOf(said.timeValidFrom),
      timeValidUntil: dateOf(said.timeValidUntil),
    },
    user: plan && {
      id: plan.isNew ? null : plan.user.id,
      displayName: plan.user.displayName,
      isNew: plan.isNew,
    },
    groups: plan ? groupsView(plan.groups) : [],
  }
}

const groupsView = ({
  made,
  joined,
  left,
  kept,
}: NonNullable<TestOutcome['plan']>['groups']): View['groups'] => [
  ...made.map(({ name }) => ({ name, change: 'joined' as const, isNew: true })),
  ...joined.map(({ name }) => ({ name, change: 'joined' as const, isNew: false })),
  ...left.map(({ name }) => ({ name, change: 'left' as const, isNew: false })),
  ...kept.map(({ name }) => ({ name, change: 'kept' as const, isNew: false })),
]

const dateOf = (time: number | null): Date | null => (time === null ? null : new Date(time))

/** The roles that the user of a plan would have, by now. */
async function rolesIn(ctx: Ctx, plan: TestOutcome['plan']): Promise<Pick<View, 'roles' | 'hiddenRoles'>> {
  if (!plan) return { roles: [], hiddenRoles: 0 }
  const { user, groups } = plan
  const { tx, now, actor: asker } = ctx
  const groupIds = [...groups.joined, ...groups.kept].map(({ id }) => id)
  const silo = await tx
    .selectFrom('silo')
    .select(['id as siloId', 'name as siloName', 'mappedFleetRolesJson'])
    .where('id', '=', user.siloId)
    .executeTakeFirstOrThrow()
  const assignments = await tx
    .selectFrom('roleAssignment')
    .selectAll()
    .where('identityId', 'in', [user.id, ...groupIds])
    .execute()
  const counting = assignments.filter((one) => !isExpired(one, now))
  const person = { ...silo, userId: user.id, displayName: user.displayName }
  const held = actorFrom(person, groupIds, counting)
  const projectIds = [...held.projectRoles.keys()]
  const projects =
    projectIds.length === 0
      ? []
      : await tx
          .selectFrom('project')
          .select(['id', 'name'])
          .where('id', 'in', projectIds)
          .orderBy('name')
          .execute()
  const placed = (
    level: Place['level'],
    { id, name }: { id: string; name: string },
    role: Role | null | undefined,
  ) => (role == null ? [] : [{ place: { level, id, siloId: user.siloId }, shown: { level, name, role } }])
  const all = [
    ...placed('fleet', { id: fleetId, name: 'fleet' }, held.fleetRole),
    ...placed('silo', { id: silo.siloId, name: silo.siloName }, held.siloRole),
    ...projects.flatMap((project) => placed('project', project, held.projectRoles.get(project.id))),
  ]
  const readable = all.filter(({ place }) => mayRead(asker, place))
  const roles = readable.slice(0, limits.signInTest.roles).map(({ shown }) => shown)
  return { roles, hiddenRoles: all.length - roles.length }
}
