/** Rows of networks that no operation makes yet, and instances made in one line. */
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { GiB } from '@purlin/contract/rules/limits'
import type { Tx } from '#/db/tables.ts'
import { takePoolAddress } from '#/resources/addresses/pool-addresses.ts'
import { insertChild } from '#/resources/kind/rows.ts'
import type { TestWorld } from '../world.ts'
import { withoutRequest } from '#/context.ts'

/** Runs database work in a separate transaction. */
export const inDb = <T>({ world }: TestWorld, work: (tx: Tx) => Promise<T>): Promise<T> =>
  world.engine.transaction('write', work)

const identity = (world: TestWorld, name: string) => {
  const now = world.clock.now()
  return { id: world.world.ids.uuid(), name, description: '', timeCreated: now, timeModified: now }
}

/** Makes a custom router and returns its id. */
export async function addRouter(world: TestWorld, name: string, vpc: { id: string }): Promise<string> {
  const body = { name, description: '' }
  return (await world.as('collaborator').vpcRouterCreate({ query: { vpc: vpc.id }, body })).id
}

/** Makes a floating IP with the lowest free address of the pool `public` and returns its id. */
export async function addFloatingIp(
  world: TestWorld,
  name: string,
  projectId = world.ids['demo'] ?? '',
): Promise<string> {
  const ipPoolId = world.ids['public'] ?? ''
  const row = {
    ...identity(world, name),
    kind: 'floating' as const,
    ipPoolId,
    projectId,
    instanceId: null,
    firstPort: 0,
    lastPort: 65_535,
    isProtected: null,
    timeLastUsed: 0,
    tagsJson: null,
  }
  await inDb(world, async (tx) => {
    const ipKey = await takePoolAddress({ tx }, ipPoolId)
    await insertChild({ ...withoutRequest(tx), world: world.world }, 'floatingIp', { ...row, ipKey })
  })
  return row.id
}

type NewInstance = Parameters<Client<Operations>['instanceCreate']>[0]['body']

/** Makes a small stopped instance as a project collaborator. */
export const addInstance = (
  world: TestWorld,
  name: string,
  more: Partial<NewInstance> = {},
  project = 'demo',
) =>
  world.as('collaborator').instanceCreate({
    query: { project },
    body: { name, description: '', ncpus: 1, memory: GiB, hostname: name, start: false, ...more },
  })
