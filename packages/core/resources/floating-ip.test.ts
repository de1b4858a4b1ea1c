import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addFloatingIp, addInstance } from '../testing/networks.ts'
import { answers, projectRead } from '../testing/roles.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const query = { project: 'demo' }
const me = () => world.as('projectViewer')

it('is shown by name and id', async () => {
  const id = await addFloatingIp(world, 'front')
  const floatingIp = await me().floatingIpView({ params: { floatingIp: 'front' }, query })
  expect(floatingIp).toEqual({
    id,
    name: 'front',
    description: '',
    timeCreated: new Date(world.clock.now()),
    timeModified: new Date(world.clock.now()),
    ip: '10.20.0.10',
    ipPoolId: world.ids['public'],
    projectId: world.ids['demo'],
    instanceId: null,
  })
  expect(await me().floatingIpView({ params: { floatingIp: id }, query: {} })).toEqual(floatingIp)
})

it('shows the instance that it serves', async () => {
  await addFloatingIp(world, 'front')
  const { id } = await addInstance(world, 'vm', { externalIps: [{ type: 'floating', floatingIp: 'front' }] })
  expect(await me().floatingIpView({ params: { floatingIp: 'front' }, query })).toMatchObject({
    instanceId: id,
  })
})

describe('the list', () => {
  it('pages by name, within its project, and holds no other kind of address', async () => {
    await world.as('admin').projectCreate({ body: { name: 'second', description: '' } })
    const second = await world.as('admin').projectView({ params: { project: 'second' } })
    await addFloatingIp(world, 'elsewhere', second.id)
    await addInstance(world, 'vm', { externalIps: [{ type: 'ephemeral' }] })
    for (const name of ['b', 'a']) await addFloatingIp(world, name)
    const first = await me().floatingIpList({ query: { ...query, limit: 1 } })
    expect(first.items).toMatchObject([{ name: 'a' }])
    const rest = await me().floatingIpList({ query: { ...query, limit: 1, pageToken: first.nextPage ?? '' } })
    expect(rest).toMatchObject({ items: [{ name: 'b' }], nextPage: null })
  })
})

describe('a selector', () => {
  it('by id goes without a project, by name with one', async () => {
    const id = await addFloatingIp(world, 'front')
    const view = (floatingIp: string, more: object) =>
      me().floatingIpView({ params: { floatingIp }, query: more })
    await expect(view(id, query)).rejects.toMatchObject({
      status: 400,
      message: 'when providing floating IP as an ID project should not be specified',
    })
    await expect(view('front', {})).rejects.toMatchObject({
      status: 400,
      message: 'floating IP should either be UUID or project should be specified',
    })
    await expect(view('none', query)).rejects.toMatchObject({
      status: 404,
      message: 'not found: floating-ip with name "none"',
    })
  })

  it('does not find an address of another kind', async () => {
    await addInstance(world, 'vm', { externalIps: [{ type: 'ephemeral' }] })
    const id = await world.world.engine.transaction(
      'read',
      async (tx) =>
        (
          await tx
            .selectFrom('externalIp')
            .select('id')
            .where('kind', '=', 'ephemeral')
            .executeTakeFirstOrThrow()
        ).id,
    )
    await expect(me().floatingIpView({ params: { floatingIp: id }, query: {} })).rejects.toMatchObject({
      status: 404,
    })
  })
})

it('viewers of the project may list and view', async () => {
  const id = await addFloatingIp(world, 'front')
  expect(await answers(world, (c) => c.floatingIpList({ query }))).toEqual(projectRead)
  expect(await answers(world, (c) => c.floatingIpView({ params: { floatingIp: 'front' }, query }))).toEqual(
    projectRead,
  )
  expect(await answers(world, (c) => c.floatingIpView({ params: { floatingIp: id }, query: {} }))).toEqual(
    projectRead,
  )
})
