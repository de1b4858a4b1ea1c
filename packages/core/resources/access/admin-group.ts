/** The group whose members are administrators of a silo. */
import type { Tx } from '#/db/tables.ts'

interface Group {
  id: string
  siloId: string
}

/** Gives a group the role of administrators on its silo, without an end. */
export async function grantAdmin(tx: Tx, { id, siloId }: Group): Promise<void> {
  const assignment = {
    resourceType: 'silo',
    resourceId: siloId,
    identityType: 'silo_group',
    identityId: id,
    roleName: 'admin',
    timeExpires: null,
  } as const
  await tx
    .insertInto('roleAssignment')
    .values(assignment)
    .onConflict((on) =>
      on
        .columns(['resourceType', 'resourceId', 'identityType', 'identityId', 'roleName'])
        .doUpdateSet({ timeExpires: null }),
    )
    .execute()
}

/** Takes the role away. */
export async function revokeAdmin(tx: Tx, { id, siloId }: Group): Promise<void> {
  await tx
    .deleteFrom('roleAssignment')
    .where('resourceType', '=', 'silo')
    .where('resourceId', '=', siloId)
    .where('identityId', '=', id)
    .where('roleName', '=', 'admin')
    .execute()
}
