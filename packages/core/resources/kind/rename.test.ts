import { afterAll, beforeAll, expect, it } from 'vitest'
import { addInstance } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
const query = { project: 'demo' }
const inVpc = { ...query, vpc: 'default' }
const me = () => w.as('projectCollaborator')

beforeAll(async () => {
  w = await openWorld()
  await addInstance(w, 'web')
  await addInstance(w, 'other')
})
afterAll(() => w.close())

async function rename(instance: string, name: string, who: Who = 'projectCollaborator') {
  const at = { params: { instance }, query }
  const { ncpus, memory } = await me().instanceView(at)
  const kept = { ncpus, memory, bootDisk: null, autoRestartPolicy: null, cpuPlatform: null }
  return w.as(who).instanceUpdate({ ...at, body: { ...kept, name } })
}

it('a renamed instance keeps its id and hostname, is not found by its old name, and rules and routes follow', async () => {
  const { id } = await me().instanceView({ params: { instance: 'web' }, query })
  const target = { type: 'instance' as const, value: 'web' }
  const rule = {
    name: 'allow-web',
    description: '',
    status: 'enabled' as const,
    direction: 'inbound' as const,
    action: 'allow' as const,
    priority: 100,
    targets: [target],
    filters: { hosts: [target] },
  }
  await me().vpcFirewallRulesUpdate({ query: inVpc, body: { rules: [rule] } })
  await me().vpcRouterCreate({ query: inVpc, body: { name: 'custom', description: '' } })
  const route = {
    name: 'to-web',
    description: '',
    destination: { type: 'ip_net' as const, value: '10.9.0.0/16' },
    target,
  }
  await me().vpcRouterRouteCreate({ query: { ...inVpc, router: 'custom' }, body: route })

  expect(await rename('web', 'shop')).toMatchObject({ id, name: 'shop', hostname: 'web' })
  expect(await me().instanceView({ params: { instance: 'shop' }, query })).toMatchObject({ id })
  await expect(me().instanceView({ params: { instance: 'web' }, query })).rejects.toMatchObject({
    status: 404,
  })
  const { items } = await me().search({ query: { q: 'shop' } })
  expect(items.map((one) => one.id)).toContain(id)
  const follows = { type: 'instance', value: 'shop' }
  const { rules } = await me().vpcFirewallRulesView({ query: inVpc })
  expect(rules[0]).toMatchObject({ targets: [follows], filters: { hosts: [follows] } })
  const routes = await me().vpcRouterRouteList({ query: { ...inVpc, router: 'custom' } })
  expect(routes.items[0]).toMatchObject({ target: follows })
})

it('a name that is taken is refused, and so is a viewer', async () => {
  await expect(rename('other', 'shop')).rejects.toMatchObject({ status: 400, code: 'ObjectAlreadyExists' })
  await expect(rename('other', 'mine', 'viewer')).rejects.toMatchObject({ status: 403 })
})

it('disks, snapshots and images are renamed, and their images and disks stay', async () => {
  const source = { type: 'blank' as const, blockSize: 512 as const }
  const disk = await me().diskCreate({
    query,
    body: { name: 'data', description: '', size: 2 ** 30, diskSource: source },
  })
  const snapshot = await me().snapshotCreate({
    query,
    body: { name: 'before', description: '', disk: 'data' },
  })
  const made = { name: 'golden', description: '', os: 'debian', version: '13' }
  const image = await me().imageCreate({
    query,
    body: { ...made, source: { type: 'snapshot', id: snapshot.id } },
  })
  const body = (name: string) => ({ query, body: { name, description: 'renamed' } })
  const renamed = [
    await me().diskUpdate({ params: { disk: 'data' }, ...body('archive') }),
    await me().snapshotUpdate({ params: { snapshot: 'before' }, ...body('after') }),
    await me().imageUpdate({ params: { image: 'golden' }, ...body('silver') }),
  ]
  expect(renamed.map(({ id, name, description }) => ({ id, name, description }))).toEqual([
    { id: disk.id, name: 'archive', description: 'renamed' },
    { id: snapshot.id, name: 'after', description: 'renamed' },
    { id: image.id, name: 'silver', description: 'renamed' },
  ])
  await expect(me().diskView({ params: { disk: 'data' }, query })).rejects.toMatchObject({ status: 404 })
})
