import { GiB, limits } from '@purlin/contract/rules/limits'
import { batches } from '#/db/batches.ts'
import { instancesOf } from '#/testing/machines.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
const inVpc = { ...query, vpc: 'default' }
const me = () => w.as('projectCollaborator')
const viewer = () => w.as('projectViewer')
const named = (name: string) => ({ name, description: '' })

describe('a list of VPCs', () => {
  it('has the number of firewall rules of each if requested', async () => {
    await me().vpcCreate({ query, body: { ...named('open'), dnsName: 'open' } })
    await me().vpcFirewallRulesUpdate({ query: { ...query, vpc: 'open' }, body: { rules: [] } })
    const { items } = await viewer().vpcList({ query: { ...query, totalFirewallRules: true } })
    const { rules } = await viewer().vpcFirewallRulesView({ query: inVpc })
    expect(items.map(({ name, totalFirewallRules }) => [name, totalFirewallRules])).toEqual([
      ['default', rules.length],
      ['open', 0],
    ])
    for (const more of [{}, { totalFirewallRules: false }]) {
      const plain = await viewer().vpcList({ query: { ...query, ...more } })
      expect(Object.keys(plain.items[0] ?? {})).not.toContain('totalFirewallRules')
    }
  })
})

describe('a list of projects', () => {
  /** The log is complete once it has been read. */
  const readLog = () => w.as('viewer').resourceActivity({ query: { resource: 'project:demo' } })

  it('has the instances of each and what they and its disks use if requested, for those who see it', async () => {
    const size = { ncpus: 2, memory: 3 * GiB, start: true }
    for (const name of ['a', 'b']) await instancesOf(w).create(name, size)
    await w.settle()
    await w.as('collaborator').projectCreate({ body: named('empty') })
    await readLog()
    const { items } = await w.as('viewer').projectList({ query: { utilization: true } })
    const uses = Object.fromEntries(items.map(({ name, utilization }) => [name, utilization]))
    const { provisioned } = await viewer().projectOverview({ params: { project: 'demo' } })
    expect(provisioned).toMatchObject({ cpus: 4, memory: 6 * GiB })
    const changed = expect.any(Date) as Date
    expect(uses['demo']).toEqual({
      instances: 2,
      instancesByState: { starting: 2 },
      provisioned,
      timeLastChanged: changed,
    })
    expect(uses['empty']).toEqual({
      instances: 0,
      instancesByState: {},
      provisioned: { cpus: 0, memory: 0, storage: 0 },
      timeLastChanged: changed,
    })
    const seen = await viewer().projectList({ query: { utilization: true } })
    expect(seen.items.map(({ name, utilization }) => [name, utilization?.instances])).toEqual([['demo', 2]])
    const plain = await viewer().projectList({ query: {} })
    expect(Object.keys(plain.items[0] ?? {})).not.toContain('utilization')
  })

  it('says when each was last changed: not by requests that read or fail, or that change another', async () => {
    const changed = async (project: string) => {
      await readLog()
      const { items } = await w.as('viewer').projectList({ query: { utilization: true } })
      return items.find(({ name }) => name === project)?.utilization?.timeLastChanged?.getTime()
    }
    const minute = 60_000
    await w.as('collaborator').projectCreate({ body: named('other') })
    const first = w.clock.now()
    await me().vpcCreate({ query, body: { ...named('open'), dnsName: 'open' } })
    expect(await changed('demo')).toBe(first)
    await w.advance(minute)
    await expect(
      me().vpcCreate({ query, body: { ...named('open'), dnsName: 'open' } }),
    ).rejects.toMatchObject({ status: 400 })
    await w.as('collaborator').vpcCreate({
      query: { project: 'other' },
      body: { ...named('open'), dnsName: 'open' },
    })
    expect(await changed('demo')).toBe(first)
    expect(await changed('other')).toBe(first + minute)
    await w.advance(minute)
    await me().vpcUpdate({ params: { vpc: 'open' }, query, body: { description: 'to all' } })
    expect(await changed('demo')).toBe(first + 2 * minute)
  })
})

describe('a list of images', () => {
  const imageIn = async (project?: string) => {
    await diskIn('demo', 'source')
    await w.settle()
    const snapshot = await admin().snapshotCreate({ query, body: { ...named('source'), disk: 'source' } })
    await admin().diskDelete({ params: { disk: 'source' }, query })
    const { id } = await admin().imageCreate({
      query: project === undefined ? {} : { project },
      body: {
        ...named('golden'),
        os: 'debian',
        version: '13',
        source: { type: 'snapshot', id: snapshot.id },
      },
    })
    return id
  }
  const admin = () => w.as('admin')
  const diskIn = (project: string, name: string, imageId?: string) =>
    admin().diskCreate({
      query: { project },
      body: {
        ...named(name),
        size: GiB,
        diskSource: imageId === undefined ? { type: 'blank', blockSize: 512 } : { type: 'image', imageId },
      },
    })
  const counted = async (who: Who, of: { project?: string } = {}) => {
    const { items } = await w.as(who).imageList({ query: { ...of, totalDisks: true } })
    const view = await w
      .as(who)
      .imageView({ params: { image: 'golden' }, query: { ...of, totalDisks: true } })
    // Their digest is computed at the same time.
    expect(items.map(({ totalDisks }) => totalDisks)).toEqual([view.totalDisks])
    return view.totalDisks
  }

  it('has the number of disks that were made from each if requested', async () => {
    const id = await imageIn('demo')
    expect(await counted('projectViewer', query)).toBe(0)
    for (const name of ['a', 'b']) await diskIn('demo', name, id)
    await diskIn('demo', 'blank')
    expect(await counted('projectViewer', query)).toBe(2)
    await w.settle()
    await admin().diskDelete({ params: { disk: 'a' }, query })
    expect(await counted('projectViewer', query)).toBe(1)
    for (const more of [{}, { totalDisks: false }]) {
      const { items } = await viewer().imageList({ query: { ...query, ...more } })
      const view = await viewer().imageView({ params: { image: 'golden' }, query: { ...query, ...more } })
      for (const image of [items[0], view]) expect(image).not.toHaveProperty('totalDisks')
    }
  })

  it('counts for an image of the silo the disks in those projects that the reader sees', async () => {
    await w.as('collaborator').projectCreate({ body: named('other') })
    const id = await imageIn()
    await diskIn('demo', 'own', id)
    for (const name of ['a', 'b']) await diskIn('other', name, id)
    expect(await counted('viewer')).toBe(3)
    expect(await counted('projectViewer')).toBe(1)
    expect(await counted('noRole')).toBe(0)
    expect(await counted('fleetAdmin')).toBe(0)
  })

  it('counts for an image that has moved to another project the disks there', async () => {
    await w.as('collaborator').projectCreate({ body: named('other') })
    const id = await imageIn('demo')
    await diskIn('demo', 'a', id)
    const params = { image: id }
    await admin().imagePromote({ params, query: {} })
    await admin().imageDemote({ params, query: { project: 'other' } })
    expect(await counted('admin', { project: 'other' })).toBe(0)
    await diskIn('other', 'b', id)
    expect(await counted('admin', { project: 'other' })).toBe(1)
    const { items } = await viewer().diskList({ query: { ...query, filter: [`image:${id}`] } })
    expect(items.map(({ name }) => name)).toEqual(['a'])
  })

  it('counts up to a limit', async () => {
    const id = await imageIn('demo')
    const { disksOfImage } = limits.lists
    await diskIn('demo', 'a', id)
    await inDb(w, async (tx) => {
      const row = await tx.selectFrom('disk').selectAll().where('imageId', '=', id).executeTakeFirstOrThrow()
      const more = Array.from({ length: disksOfImage + 1 }, (_, i) => ({
        ...row,
        id: w.world.ids.uuid(),
        name: `more-${i}`,
      }))
      for (const some of batches(more, 500)) await tx.insertInto('disk').values(some).execute()
    })
    expect(await counted('viewer', query)).toBe(disksOfImage)
  })
})

describe('a list of disks', () => {
  it('is restricted to those that were made from an image, by its id', async () => {
    const unknown = '7F3A9E2C-0000-4000-8000-000000000000'
    const list = (filter: string) => viewer().diskList({ query: { ...query, filter: [filter], total: true } })
    expect(await list(`image:${unknown}`)).toMatchObject({ items: [], totalItems: 0 })
    await expect(list('image:golden')).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/image is the id of one/),
    })
  })
})

describe('a list of silos', () => {
  it('has the use of the quotas of each if requested', async () => {
    const operator = w.as('fleetAdmin')
    const { id: created } = await operator.siloCreate({
      body: {
        ...named('new'),
        discoverable: false,
        identityMode: 'local_only',
        quotas: { cpus: 5, memory: 0, storage: 7 },
        tlsCertificates: [],
      },
    })
    const { items } = await operator.siloList({ query: { utilization: true } })
    for (const { name, utilization } of items) {
      const { provisioned, allocated } = await operator.siloUtilizationView({
        params: { silo: name },
        query: {},
      })
      expect(utilization).toEqual({ provisioned, allocated })
    }
    expect(items.find(({ id }) => id === created)?.utilization?.allocated).toEqual({
      cpus: 5,
      memory: 0,
      storage: 7,
    })
    const plain = await operator.siloList({ query: {} })
    expect(Object.keys(plain.items[0] ?? {})).not.toContain('utilization')
  })
})

describe('a list of internet gateways', () => {
  const attached = async (more: object = {}) =>
    (await viewer().internetGatewayList({ query: { ...inVpc, attached: true, ...more } })).items

  it('has the attachments of each, the first by name, and the number of routes to it', async () => {
    for (const name of ['partner', 'spare'])
      await me().internetGatewayCreate({ query: inVpc, body: named(name) })
    const atPartner = { ...inVpc, gateway: 'partner' }
    for (const [name, address] of [
      ['b', '203.0.113.8'],
      ['a', '203.0.113.9'],
    ] as const)
      await me().internetGatewayIpAddressCreate({ query: atPartner, body: { ...named(name), address } })
    await me().vpcRouterCreate({ query: inVpc, body: named('edge') })
    await me().vpcRouterRouteCreate({
      query: { ...inVpc, router: 'edge' },
      body: {
        ...named('out'),
        destination: { type: 'ip_net', value: '198.51.100.0/24' },
        target: { type: 'internet_gateway', value: 'partner' },
      },
    })
    // A route of another VPC to a gateway of the same name does not count.
    await me().vpcCreate({ query, body: { ...named('other'), dnsName: 'other' } })
    const nothing = { ipPoolId: null, totalIpPools: 0, address: null, totalIpAddresses: 0, totalRoutes: 0 }
    expect((await attached()).map((one) => [one.name, one.attached])).toEqual([
      ['default', { ...nothing, ipPoolId: w.ids['public'], totalIpPools: 1, totalRoutes: 2 }],
      ['partner', { ...nothing, address: '203.0.113.9', totalIpAddresses: 2, totalRoutes: 1 }],
      ['spare', nothing],
    ])
  })

  it('does not have it otherwise', async () => {
    for (const more of [{}, { attached: false }]) {
      const { items } = await viewer().internetGatewayList({ query: { ...inVpc, ...more } })
      expect(Object.keys(items[0] ?? {})).not.toContain('attached')
    }
  })

  it('has at most a hundred rows with it, and the rest on the next page', async () => {
    const { withDetails } = limits.page
    for (let i = 0; i < withDetails; i++)
      await me().internetGatewayCreate({ query: inVpc, body: named(`n-${i}`) })
    expect(await attached({ limit: limits.page.max })).toHaveLength(withDetails)
    const first = await viewer().internetGatewayList({ query: { ...inVpc, attached: true } })
    const rest = await viewer().internetGatewayList({ query: { ...inVpc, pageToken: first.nextPage ?? '' } })
    expect(rest.items.map((one) => one.attached?.totalRoutes)).toEqual([0])
  })
})
