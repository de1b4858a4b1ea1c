import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fleetId } from '#/db/rows/fleet.ts'
import { createGroup, grant } from '#/seed/rows.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { createFixtures } from '#/testing/requests.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
  await createFixtures(w)
})
afterAll(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})
const idOf = (name: string) => w.ids[name] ?? ''
const lookUp = (who: Who, name: string) =>
  w.as(who).resourceLookUp({ params: { resourceId: idOf(name) || name } })
const missing = '7f3a9e2c-0000-4000-8000-000000000000'

describe('a resource by id', () => {
  const acme = () => ({ siloId: idOf('acme'), siloName: 'acme' })
  it.each([
    ['demo', 'project', 'demo', []],
    ['web', 'instance', 'web', ['demo']],
    ['data', 'disk', 'data', ['demo']],
    ['base', 'project-image', 'base', ['demo']],
    ['apart', 'anti-affinity-group', 'apart', ['demo']],
    ['subnet', 'vpc-subnet', 'default', ['demo', 'default']],
    ['away', 'router-route', 'away', ['demo', 'default', 'custom']],
    ['net0', 'instance-network-interface', 'net0', ['demo', 'web']],
    ['shared', 'silo-image', 'shared', []],
  ])('%s is a %s, found with its parents', async (key, type, name, parents) => {
    const found = await lookUp('projectViewer', key)
    expect(found).toMatchObject({ type, id: idOf(key), name, ...acme() })
    expect(found.parents.map((one) => one.name)).toEqual(parents)
  })

  it('is found by users who may see it, in upper or lower case', async () => {
    expect((await lookUp('viewer', idOf('web').toUpperCase())).name).toBe('web')
    for (const who of ['noRole', 'fleetAdmin', 'stranger'] as const)
      await expect(lookUp(who, 'web')).rejects.toMatchObject({ status: 404 })
    for (const name of [missing, 'noRole', 'public', 'acme'])
      await expect(lookUp('admin', name)).rejects.toMatchObject({ status: 404 })
    await expect(lookUp('stranger', 'shared')).rejects.toMatchObject({ status: 404 })
  })

  it('shows operators a type and a silo, without names inside it', async () => {
    const found = (who: Who, id: string) => w.as(who).systemResourceLookUp({ params: { resourceId: id } })
    expect(await found('fleetAdmin', idOf('web'))).toEqual({ type: 'instance', id: idOf('web'), ...acme() })
    expect(await found('fleetAdmin', idOf('shared'))).toMatchObject({ type: 'silo-image' })
    await expect(found('fleetAdmin', missing)).rejects.toMatchObject({ status: 404 })
    await expect(found('admin', idOf('web'))).rejects.toMatchObject({ status: 403 })
  })
})

describe('the users and groups that a policy names', () => {
  const named = async (who: Who, resource: string) =>
    (await w.as(who).accessIdentityList({ query: { resource } })).items

  it('have their names and silos, those of other silos as well', async () => {
    const until = w.clock.now() + 60_000
    const group = await inDb(w, async (tx) => {
      const id = await createGroup(w.world, tx, { siloId: idOf('acme'), displayName: 'crew', userIds: [] })
      const onFleet = { resourceType: 'fleet', resourceId: fleetId, roleName: 'viewer' } as const
      await grant(tx, { ...onFleet, identityType: 'silo_group', identityId: id, timeExpires: until })
      await grant(tx, { ...onFleet, identityType: 'silo_user', identityId: idOf('stranger') })
      await grant(tx, { ...onFleet, identityType: 'silo_user', identityId: missing })
      return id
    })
    const stranger = { identityType: 'silo_user', displayName: 'stranger', siloName: 'other' }
    const crew = { identityType: 'silo_group', identityId: group, displayName: 'crew', siloName: 'acme' }
    const onFleet = await named('fleetAdmin', 'fleet')
    expect(onFleet).toHaveLength(3)
    expect(onFleet).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ displayName: 'fleetadmin' }),
        expect.objectContaining(stranger),
        expect.objectContaining(crew),
      ]),
    )
    await w.advance(60_000)
    expect(await named('fleetAdmin', 'fleet')).toHaveLength(2)
  })

  it('of a project include those of its silo, for users who may read the policies', async () => {
    const names = async (who: Who, resource: string) =>
      (await named(who, resource)).map((one) => one.displayName).toSorted()
    expect(await names('projectViewer', 'project:demo')).toEqual(
      expect.arrayContaining(['admin', 'projectadmin', 'viewer']),
    )
    expect(await names('noRole', 'silo:acme')).toEqual(['admin', 'collaborator', 'viewer'])
    expect(await names('fleetAdmin', 'silo:other')).toEqual(['stranger'])
    await expect(named('noRole', 'project:demo')).rejects.toMatchObject({ status: 404 })
    await expect(named('admin', 'fleet')).rejects.toMatchObject({ status: 403 })
    await expect(named('admin', 'silo:other')).rejects.toMatchObject({ status: 404 })
  })
})
