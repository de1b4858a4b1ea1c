/** Probes, and the users who may make them: with roles on the fleet and on the project. */
import type { Role } from '@purlin/contract/rules/roles'
import { fleetId } from '#/db/rows/fleet.ts'
import { grant } from '#/seed/rows.ts'
import type { TestWorld, Who } from '../world.ts'
import { inDb } from './networks.ts'

const identityType = 'silo_user'

/** Gives a user a role on the fleet in addition, or takes it away. */
export const setFleetRole = (world: TestWorld, who: Who, roleName: Role | null): Promise<void> =>
  inDb(world, async (tx) => {
    const of = { resourceType: 'fleet', resourceId: fleetId, identityType } as const
    const identityId = world.ids[who] ?? ''
    await tx
      .deleteFrom('roleAssignment')
      .where('resourceType', '=', of.resourceType)
      .where('identityId', '=', identityId)
      .execute()
    if (roleName !== null) await grant(tx, { ...of, identityId, roleName })
  })

/** Makes a probe in `demo` on the last sled, as a user who has a role on the fleet only for this. Returns its id. */
export async function addProbe(world: TestWorld, name: string): Promise<string> {
  await setFleetRole(world, 'admin', 'admin')
  const client = world.as('admin')
  const sled = (await client.sledList({ query: {} })).items.at(-1)?.id ?? ''
  const made = await client.probeCreate({ query: { project: 'demo' }, body: { name, description: '', sled } })
  await setFleetRole(world, 'admin', null)
  return made.id
}
