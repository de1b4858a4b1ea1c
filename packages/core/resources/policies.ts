/** Policies: who has which role on a silo or a project. A policy is always replaced as a whole. */
import type { Ctx, Family } from '#/context.ts'
import { fault } from '#/faults.ts'
import { conferred } from '#/auth/actors.ts'
import { permit } from '#/auth/resolve.ts'
import type { Role } from '@purlin/contract/rules/roles'

interface Resource {
  type: 'fleet' | 'silo' | 'project'
  id: string
}
interface Policy {
  roleAssignments: { identityType: 'silo_user' | 'silo_group'; identityId: string; roleName: Role }[]
}

/** The assignments on a resource, by role name, then identity. */
export async function readPolicy(ctx: Ctx, resource: Resource): Promise<Policy> {
  const roleAssignments = await ctx.tx
    .selectFrom('roleAssignment')
    .select(['identityType', 'identityId', 'roleName'])
    .where('resourceType', '=', resource.type)
    .where('resourceId', '=', resource.id)
    .orderBy('roleName')
    .orderBy('identityId')
    .execute()
  return { roleAssignments }
}

const identityOf = (one: Policy['roleAssignments'][number]) => `${one.identityType} ${one.identityId}`

/** Replaces the assignments. Throws 400 for identities that are not of the actor's silo. */
export async function replacePolicy(ctx: Ctx, resource: Resource, policy: Policy): Promise<Policy> {
  const all = policy.roleAssignments.map((one) => ({ ...one, identityId: one.identityId.toLowerCase() }))
  const wanted = new Map(all.map((one) => [`${identityOf(one)} ${one.roleName}`, one]))
  const before = await readPolicy(ctx, resource)
  const known = new Set(before.roleAssignments.map(identityOf))
  // Identities that were deleted may stay until somebody removes them; new ones must exist.
  await requireIdentities(
    ctx,
    [...wanted.values()].filter((one) => !known.has(identityOf(one))),
  )
  await ctx.tx
    .deleteFrom('roleAssignment')
    .where('resourceType', '=', resource.type)
    .where('resourceId', '=', resource.id)
    .execute()
  const rows = [...wanted.values()].map((one) => ({
    resourceType: resource.type,
    resourceId: resource.id,
    ...one,
  }))
  if (rows.length) await ctx.tx.insertInto('roleAssignment').values(rows).execute()
  return readPolicy(ctx, resource)
}

async function requireIdentities(ctx: Ctx, assignments: Policy['roleAssignments']): Promise<void> {
  for (const [type, table] of [
    ['silo_user', 'siloUser'],
    ['silo_group', 'siloGroup'],
  ] as const) {
    const ids = assignments.filter((one) => one.identityType === type).map((one) => one.identityId)
    if (ids.length === 0) continue
    const found = await ctx.tx
      .selectFrom(table)
      .select('id')
      .where('id', 'in', ids)
      .where('siloId', '=', ctx.actor.siloId)
      .execute()
    const missing = ids.find((id) => !found.some((row) => row.id === id))
    if (missing)
      throw fault.invalidValue(
        'role_assignments',
        `no ${type.replace('_', ' ')} of this silo has the id "${missing}"`,
      )
  }
}

export const policies: Family<'policyView' | 'policyUpdate'> = {
  async policyView(ctx) {
    permit(ctx)
    return readPolicy(ctx, { type: 'silo', id: ctx.actor.siloId })
  },
  async policyUpdate(ctx, { body }) {
    permit(ctx)
    await permitConferred(ctx)
    const silo = { type: 'silo', id: ctx.actor.siloId } as const
    // Only an operator of the fleet could give a silo without an admin a new one.
    if (!(await hasAdmin(ctx, body)) && (await hasAdmin(ctx, await readPolicy(ctx, silo))))
      throw fault.noAdminLeft()
    return replacePolicy(ctx, silo, body)
  },
}

/** Refuses whoever could give himself, by this silo's policy, a fleet role that he does not have. Throws 403. */
async function permitConferred(ctx: Ctx): Promise<void> {
  const { mappedFleetRolesJson } = await ctx.tx
    .selectFrom('silo')
    .select('mappedFleetRolesJson')
    .where('id', '=', ctx.actor.siloId)
    .executeTakeFirstOrThrow()
  const role = conferred('admin', mappedFleetRolesJson)
  if (role) permit(ctx, `fleet.${role}`)
}

/** True if the policy makes a user admin, by itself or through a group, who can sign in. */
async function hasAdmin(ctx: Ctx, { roleAssignments }: Policy): Promise<boolean> {
  const idsOf = (type: 'silo_user' | 'silo_group') =>
    roleAssignments
      .filter((one) => one.roleName === 'admin' && one.identityType === type)
      .map((one) => one.identityId.toLowerCase())
  const [users, groups] = [idsOf('silo_user'), idsOf('silo_group')]
  const members = groups.length
    ? await ctx.tx.selectFrom('groupMember').select('userId').where('groupId', 'in', groups).execute()
    : []
  const admins = [...users, ...members.map((one) => one.userId)]
  if (admins.length === 0) return false
  const found = await ctx.tx
    .selectFrom('siloUser')
    .innerJoin('silo', 'silo.id', 'siloUser.siloId')
    .select('siloUser.id')
    .where('silo.id', '=', ctx.actor.siloId)
    .where('siloUser.id', 'in', admins)
    // Users of other silos sign in with their identity provider.
    .where((eb) =>
      eb.or([eb('siloUser.passwordHash', 'is not', null), eb('silo.identityMode', '!=', 'local_only')]),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
