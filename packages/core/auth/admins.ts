/** A fleet or silo that has an admin who can sign in always keeps one. */
import { roles, type Role } from '@purlin/contract/rules/roles'
import type { Ctx } from '#/context.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import type { RoleAssignmentTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { conferred } from './actors.ts'

/** The resources that roles are assigned on. */
export interface Resource {
  type: RoleAssignmentTable['resourceType']
  id: string
}
export const fleet: Resource = { type: 'fleet', id: fleetId }

/**
 * Makes a change after which those of the fleet and a silo still have an admin who had one before. Throws 400, which
 * rolls the change back.
 */
export async function keepingAdmins<T>(
  { tx }: Pick<Ctx, 'tx'>,
  siloId: string | null,
  change: () => Promise<T>,
): Promise<T> {
  const all = [fleet, ...(siloId === null ? [] : [{ type: 'silo' as const, id: siloId }])]
  const guarded: Resource[] = []
  for (const one of all) if (await hasAdmin(tx, one)) guarded.push(one)
  const result = await change()
  for (const one of guarded)
    if (!(await hasAdmin(tx, one))) throw fault.noAdminLeft(one.type === 'fleet' ? 'fleet' : 'silo')
  return result
}

interface Conferring extends Resource {
  roleNames: readonly Role[]
}

/** True if someone who can sign in is its admin without an end: directly, through a group, or conferred by a silo. */
async function hasAdmin(tx: Tx, resource: Resource): Promise<boolean> {
  const conferring = resource.type === 'fleet' ? await silosConferringAdmin(tx) : []
  for (const one of [{ ...resource, roleNames: ['admin'] as const }, ...conferring])
    if (await hasHolder(tx, one)) return true
  return false
}

/** The silos whose roles make admins of the fleet. */
async function silosConferringAdmin(tx: Tx): Promise<Conferring[]> {
  const silos = await tx
    .selectFrom('silo')
    .select(['id', 'mappedFleetRolesJson'])
    .where('mappedFleetRolesJson', '!=', '{}')
    .execute()
  return silos.flatMap(({ id, mappedFleetRolesJson }) => {
    const roleNames = roles.filter((role) => conferred(role, mappedFleetRolesJson) === 'admin')
    return roleNames.length > 0 ? [{ type: 'silo', id, roleNames }] : []
  })
}

async function hasHolder(tx: Tx, { type, id, roleNames }: Conferring): Promise<boolean> {
  const assigned = tx
    .selectFrom('roleAssignment')
    .where('resourceType', '=', type)
    .where('resourceId', '=', id)
    .where('roleName', 'in', roleNames)
    .where('timeExpires', 'is', null)
  const direct = assigned.innerJoin('siloUser', 'siloUser.id', 'roleAssignment.identityId')
  const members = assigned
    .innerJoin('groupMember', 'groupMember.groupId', 'roleAssignment.identityId')
    .innerJoin('siloUser', 'siloUser.id', 'groupMember.userId')
  for (const users of [direct, members]) {
    const found = await users
      .innerJoin('silo', 'silo.id', 'siloUser.siloId')
      .select('siloUser.id')
      .where('siloUser.timeDeactivated', 'is', null)
      .where('siloUser.isServiceAccount', 'is', null)
      // Users of other silos sign in with their identity provider.
      .where((eb) =>
        eb.or([eb('siloUser.passwordHash', 'is not', null), eb('silo.identityMode', '!=', 'local_only')]),
      )
      .limit(1)
      .executeTakeFirst()
    if (found) return true
  }
  return false
}
