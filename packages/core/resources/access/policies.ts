/** Policies: the assignments of roles on the fleet, a silo or a project. A policy is always replaced as a whole. */
import type { Ctx } from '#/context.ts'
import type { AssignmentRow as Row } from './policy-changes.ts'
import { fault } from '#/faults.ts'
import { conferred, firstExpiry, isExpired } from '#/auth/actors.ts'
import { fleet, keepingAdmins, type Resource } from '#/auth/admins.ts'
import { endingRaisedKeys } from '#/auth/raised-keys.ts'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import { notePolicy } from './policy-changes.ts'
import type { Role } from '@purlin/contract/rules/roles'
import { permitted } from '../kind/scopes.ts'
import { setting } from '../kind/setting.ts'

interface Assignment {
  identityType: 'silo_user' | 'silo_group'
  identityId: string
  roleName: Role
  timeExpires?: Date | null | undefined
}
interface Policy {
  roleAssignments: Assignment[]
}

/** A resource that has a policy, and the silo whose users and groups it may name; null for those of any. */
export interface Governed extends Resource {
  siloId: string | null
}

/** The assignments on a resource that count, by role name, then identity. */
export async function readPolicy(ctx: Ctx, resource: Resource): Promise<Policy> {
  const rows = await readRows(ctx, resource)
  const roleAssignments = rows.map(({ timeExpires, ...one }) =>
    timeExpires === null ? one : { ...one, timeExpires: new Date(timeExpires) },
  )
  return { roleAssignments }
}

async function readRows({ tx, now }: Ctx, { type, id }: Resource): Promise<Row[]> {
  const rows = await tx
    .selectFrom('roleAssignment')
    .select(['identityType', 'identityId', 'roleName', 'timeExpires'])
    .where('resourceType', '=', type)
    .where('resourceId', '=', id)
    .orderBy('roleName')
    .orderBy('identityId')
    .execute()
  return rows.filter((one) => !isExpired(one, now))
}

const keyOf = ({
  identityType,
  identityId,
  roleName,
}: Pick<Row, 'identityType' | 'identityId' | 'roleName'>) => `${identityType} ${identityId} ${roleName}`

/**
 * Replaces the assignments. Throws 400 for identities that the policy may not name, for times that are past, and if
 * the silo or the fleet would lose its last admin. Keys of service accounts that get a stronger role on the fleet end.
 */
export function replacePolicy(ctx: Ctx, resource: Governed, policy: Policy): Promise<Policy> {
  // The admins of its silo remain for a project.
  if (resource.type === 'project') return writePolicy(ctx, resource, policy)
  const identityIds = policy.roleAssignments.map((one) => one.identityId.toLowerCase())
  return keepingAdmins(ctx, resource.siloId, () =>
    endingRaisedKeys(ctx, { identityIds }, () => writePolicy(ctx, resource, policy)),
  )
}

async function writePolicy(ctx: Ctx, resource: Governed, policy: Policy): Promise<Policy> {
  const before = new Map((await readRows(ctx, resource)).map((row) => [keyOf(row), row]))
  const rows = new Map<string, Row>()
  for (const { timeExpires, ...one } of policy.roleAssignments) {
    const assignment = { ...one, identityId: one.identityId.toLowerCase() }
    const key = keyOf(assignment)
    const until =
      timeExpires === undefined ? (before.get(key)?.timeExpires ?? null) : expiryOf(ctx, timeExpires)
    rows.set(key, { ...assignment, timeExpires: latest(rows.get(key), until) })
  }
  const all = [...rows.values()]
  await requireIdentities(ctx, resource, all)
  const at = { resourceType: resource.type, resourceId: resource.id }
  await ctx.tx
    .deleteFrom('roleAssignment')
    .where('resourceType', '=', at.resourceType)
    .where('resourceId', '=', at.resourceId)
    .execute()
  const values = all.map((row) => ({ ...at, ...row }))
  if (values.length > 0) await ctx.tx.insertInto('roleAssignment').values(values).execute()
  await notePolicy(ctx, resource, { before: [...before.values()], after: all })
  if (firstExpiry(all) < Infinity) ctx.wake('policies')
  return readPolicy(ctx, resource)
}

function expiryOf({ now }: Ctx, time: Date | null): number | null {
  if (time !== null && time.getTime() <= now)
    throw fault.invalidValue('time_expires', 'a role cannot expire in the past')
  return time && time.getTime()
}

/** Of an assignment that is given twice the one that lasts longer counts. */
const latest = (other: Row | undefined, until: number | null): number | null =>
  other === undefined
    ? until
    : other.timeExpires === null || until === null
      ? null
      : Math.max(other.timeExpires, until)

async function requireIdentities(ctx: Ctx, { siloId }: Governed, assignments: readonly Row[]): Promise<void> {
  for (const [type, table] of [
    ['silo_user', 'siloUser'],
    ['silo_group', 'siloGroup'],
  ] as const) {
    const ids = assignments.filter((one) => one.identityType === type).map((one) => one.identityId)
    if (ids.length === 0) continue
    const all = ctx.tx.selectFrom(table).select('id').where('id', 'in', ids)
    const found = await (siloId === null ? all : all.where('siloId', '=', siloId)).execute()
    const missing = ids.find((id) => !found.some((row) => row.id === id))
    if (missing)
      throw fault.invalidValue(
        'role_assignments',
        `no ${type.replace('_', ' ')} ${siloId === null ? '' : 'of this silo '}has the id "${missing}"`,
      )
  }
}

const governedSilo = (id: string): Governed => ({ type: 'silo', id, siloId: id })
const governedFleet: Governed = { ...fleet, siloId: null }

export const policies = {
  ...setting('policy', {
    of: permitted(({ actor }) => governedSilo(actor.siloId)),
    view: readPolicy,
    update: replaceOfSilo,
  }),
  ...setting('siloPolicy', {
    of: async (ctx, { params }) => governedSilo((await resolveInFleet(ctx, 'silo', params.silo)).id),
    view: readPolicy,
    update: replaceOfSilo,
  }),
  ...setting('systemPolicy', { of: permitted(() => governedFleet), view: readPolicy, update: replacePolicy }),
}

async function replaceOfSilo(ctx: Ctx, silo: Governed, policy: Policy): Promise<Policy> {
  await permitConferred(ctx, silo.id)
  return replacePolicy(ctx, silo, policy)
}

/** Refuses callers who could use a silo's policy to give themselves a fleet role that they do not have. Throws 403. */
export async function permitConferred(ctx: Ctx, siloId: string): Promise<void> {
  const { mappedFleetRolesJson } = await ctx.tx
    .selectFrom('silo')
    .select('mappedFleetRolesJson')
    .where('id', '=', siloId)
    .executeTakeFirstOrThrow()
  const role = conferred('admin', mappedFleetRolesJson)
  if (role) permit(ctx, `fleet.${role}`)
}
