import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inDb } from '#/testing/networks/networks.ts'
import { rejectsIn, disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let world: TestWorld
let systemRouterId: string
beforeEach(async () => {
  world = await openWorld()
  const body = { name: 'net', description: '', dnsName: 'net' }
  systemRouterId = (await me().vpcCreate({ query: { project: 'demo' }, body })).systemRouterId
})
afterEach(async () => {
  expect(await disorder(world)).toEqual([])
  await world.close()
})

const query = { project: 'demo', vpc: 'net' }
const me = () => world.as('projectCollaborator')
const create = (name: string) => me().vpcRouterCreate({ query, body: { name, description: '' } })
const remove = (router: string) => me().vpcRouterDelete({ params: { router }, query })
const rejects = rejectsIn(() => world)
const refused = (message: string) => ({ status: 400, code: 'InvalidRequest', message })

it('a new router is a custom one', async () => {
  const { id: vpcId } = await me().vpcView({ params: { vpc: 'net' }, query: { project: 'demo' } })
  expect(await create('edge')).toMatchObject({ name: 'edge', kind: 'custom', vpcId })
})

it('the system router is listed, and may be renamed', async () => {
  const { items } = await me().vpcRouterList({ query })
  expect(items).toMatchObject([{ id: systemRouterId, name: 'system', kind: 'system' }])
  const body = { name: 'main', description: 'the only one' }
  const after = await me().vpcRouterUpdate({ params: { router: 'system' }, query, body })
  expect(after).toMatchObject({ id: systemRouterId, kind: 'system', ...body })
})

describe('delete', () => {
  it('is refused for the system router', () =>
    rejects(() => remove('system'), refused('cannot delete system router')))

  it('detaches the router from its subnets and deletes its routes', async () => {
    const { id } = await create('edge')
    const subnet = { name: 'web', description: '', ipv4Block: '10.0.0.0/24', customRouter: 'edge' }
    expect(await me().vpcSubnetCreate({ query, body: subnet })).toMatchObject({ customRouterId: id })
    await me().vpcRouterRouteCreate({
      query: { ...query, router: 'edge' },
      body: {
        name: 'away',
        description: '',
        destination: { type: 'ip', value: '1.1.1.1' },
        target: { type: 'drop' },
      },
    })
    await world.advance(1000)
    await remove('edge')
    const after = await me().vpcSubnetView({ params: { subnet: 'web' }, query })
    expect(after).not.toHaveProperty('customRouterId')
    expect(after.timeModified).toEqual(new Date(world.clock.now()))
    const left = await inDb(world, (tx) =>
      tx.selectFrom('routerRoute').select('id').where('vpcRouterId', '=', id).execute(),
    )
    expect(left).toEqual([])
  })
})
