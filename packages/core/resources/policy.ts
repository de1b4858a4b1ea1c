/** Policies: who has which role on a silo or a project. A policy is always replaced as a whole. */
import type { Ctx, Family } from '../context.ts'
import { fault } from '../faults.ts'
import { permit } from '../resolve.ts'
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
  // Identities that have left may stay until someone removes them; new ones must exist.
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
    if (!(await keepsAdmin(ctx, body)))
      throw fault.invalid('the policy must leave at least one admin on the silo')
    return replacePolicy(ctx, { type: 'silo', id: ctx.actor.siloId }, body)
  },
}

// A silo without an admin could be mended only by the fleet; refuse to end the last one.
async function keepsAdmin(ctx: Ctx, policy: Policy): Promise<boolean> {
  if (policy.roleAssignments.some((one) => one.roleName === 'admin')) return true
  const now = await readPolicy(ctx, { type: 'silo', id: ctx.actor.siloId })
  return !now.roleAssignments.some((one) => one.roleName === 'admin')
}
