/** A probe of the demo, made by an operator who has a role on the project only for this. */
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import type { World } from '#/context.ts'
import { grant } from './rows.ts'

export async function makeProbe(
  { engine }: World,
  operator: Client<Operations>,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<void> {
  const role = {
    resourceType: 'project',
    resourceId: projectId,
    identityType: 'silo_user',
    identityId: userId,
    roleName: 'collaborator',
  } as const
  await engine.transaction('write', (tx) => grant(tx, role))
  const { items } = await operator.sledList({ query: {} })
  const sled = items.find(({ missingSince }) => missingSince == null)
  const body = { name: 'edge-check', description: 'Shows whether the uplinks lead to this sled' }
  if (sled)
    await operator.probeCreate({
      query: { project: projectId },
      body: { ...body, sled: sled.id, ipPool: 'office' },
    })
  await engine.transaction('write', (tx) =>
    tx
      .deleteFrom('roleAssignment')
      .where('resourceId', '=', projectId)
      .where('identityId', '=', userId)
      .execute(),
  )
}
