import { roles, type Role } from '@purlin/contract/rules/roles'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Packet } from '#/ports.ts'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { setFleetRole } from '#/testing/networks/probes.ts'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
let sleds: string[]
beforeEach(async () => {
  w = await openWorld({ rack: { sleds: 2 } })
  await setFleetRole(w, 'collaborator', 'admin')
  sleds = (await me().sledList({ query: {} })).items.map(({ id }) => id)
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const me = () => w.as('collaborator')
const query = { project: 'demo' }
const inVpc = { ...query, vpc: 'default' }
const rejects = rejectsIn(() => w)
const refused = (status: number, message: string) => ({ status, message })
const create = (name: string, more: { sled?: string; ipPool?: string; project?: string } = {}, who?: Who) => {
  const { project = 'demo', sled = sleds[0] ?? '', ...rest } = more
  const body = { name, description: '', sled, ...rest }
  return w.as(who ?? 'collaborator').probeCreate({ query: { project }, body })
}
const at = (probe: string, project = 'demo') => ({ params: { probe }, query: { project } })
const view = (probe: string) => me().probeView(at(probe))
const remove = (probe: string) => me().probeDelete(at(probe))
const usage = async () => me().ipPoolUtilizationView({ params: { pool: 'public' } })
const utilized = async () => {
  const { capacity, remaining } = await usage()
  return capacity - remaining
}
const tcp = (port: number): Packet['protocol'] => ({ type: 'tcp', port })

describe('a probe', () => {
  it('has the lowest addresses of the default subnet and pool, with network address translation', async () => {
    const made = await create('edge')
    const now = new Date(w.clock.now())
    expect(made).toEqual({
      id: expect.any(String) as string,
      name: 'edge',
      description: '',
      sled: sleds[0],
      timeCreated: now,
      timeModified: now,
    })
    const found = await view('edge')
    expect(found).toEqual({
      id: made.id,
      name: 'edge',
      sled: sleds[0],
      interface: {
        id: expect.any(String) as string,
        kind: { type: 'probe', id: made.id },
        name: 'net0',
        ip: '172.30.0.5',
        mac: expect.stringMatching(/^A8:40:25:F/) as string,
        subnet: '172.30.0.0/22',
        vni: expect.any(Number) as number,
        primary: true,
        slot: 0,
        transitIps: [],
      },
      externalIps: [{ ip: '10.20.0.10', firstPort: 0, lastPort: 65_535, kind: 'ephemeral' }],
    })
    expect((await me().probeList({ query })).items).toEqual([found])
    expect(await utilized()).toBe(1)
  })

  it('is found by name and id, only in the named project', async () => {
    await me().projectCreate({ body: { name: 'other', description: '' } })
    const { id } = await create('edge')
    expect((await view(id)).name).toBe('edge')
    expect((await view(id.toUpperCase())).name).toBe('edge')
    for (const [one, of] of [
      ['edge', 'with name "edge"'],
      [id, `with id "${id}"`],
    ] as const) {
      await rejects(() => me().probeView(at(one, 'other')), refused(404, `not found: probe ${of}`))
      await rejects(() => me().probeDelete(at(one, 'other')), refused(404, `not found: probe ${of}`))
    }
    const without = await w.raw({ url: `/experimental/v1/probes/${id}`, who: 'collaborator' })
    expect(without.status).toBe(400)
    expect(without.json.message).toContain('missing field `project`')
  })

  it('has a name that is unique in its project, and free after its deletion', async () => {
    await create('edge')
    await rejects(() => create('edge'), refused(400, 'already exists: probe "edge"'))
    await me().projectCreate({ body: { name: 'other', description: '' } })
    await create('edge', { project: 'other' })
    await remove('edge')
    await create('edge')
  })

  it('gives everything back when it is deleted', async () => {
    await create('a')
    await create('b')
    await remove('a')
    expect(await utilized()).toBe(1)
    await rejects(() => view('a'), refused(404, 'not found: probe with name "a"'))
    await create('c')
    expect(await view('c')).toMatchObject({
      interface: { ip: '172.30.0.5' },
      externalIps: [{ ip: '10.20.0.10' }],
    })
    await remove('b')
    await remove('c')
    expect(await utilized()).toBe(0)
    const rows = await inDb(w, (tx) => tx.selectFrom('networkInterface').select('id').execute())
    expect(rows).toEqual([])
  })

  it('is in a list by name and by id, page by page', async () => {
    for (const name of ['b', 'c', 'a']) await create(`edge-${name}`)
    const first = await me().probeList({ query: { ...query, limit: 2, sortBy: 'name_descending' } })
    expect(first.items.map(({ name }) => name)).toEqual(['edge-c', 'edge-b'])
    const rest = await me().probeList({ query: { ...query, limit: 2, pageToken: first.nextPage ?? '' } })
    expect(rest.items.map(({ name }) => name)).toEqual(['edge-a'])
    const byId = await me().probeList({ query: { ...query, sortBy: 'id_ascending' } })
    expect(byId.items.map(({ id }) => id)).toEqual(byId.items.map(({ id }) => id).toSorted())
    expect((await me().probeList({ query: { ...query, find: 'edge-a' } })).items).toHaveLength(1)
  })
})

describe('a sled for a probe', () => {
  const missing = '7f3a9e2c-0000-4000-8000-000000000000'

  it('must exist, be in service, answer, and not be in maintenance', async () => {
    const [here = '', there = ''] = sleds
    await rejects(
      () => create('edge', { sled: missing }),
      refused(404, `not found: sled with id "${missing}"`),
    )
    await me().sledMaintenanceStart({ params: { sledId: here }, body: {} })
    await rejects(
      () => create('edge', { sled: here }),
      refused(400, 'the sled is in maintenance: choose another one'),
    )
    w.sleds.loseSled(there)
    await w.settle()
    await rejects(
      () => create('edge', { sled: there }),
      refused(400, 'the sled does not answer: choose another one'),
    )
    await me().sledExpunge({ params: { sledId: there } })
    await rejects(
      () => create('edge', { sled: there }),
      refused(400, 'the sled is out of service for good: choose another one'),
    )
  })

  it('may be closed for instances', async () => {
    const [sledId = ''] = sleds
    await me().sledSetProvisionPolicy({ params: { sledId }, body: { state: 'non_provisionable' } })
    expect(await create('edge')).toMatchObject({ sled: sledId })
  })

  it('keeps its probes in maintenance, which does not wait for them', async () => {
    const [sledId = ''] = sleds
    await create('edge')
    await me().sledMaintenanceStart({ params: { sledId }, body: {} })
    await w.settle()
    expect((await me().sledView({ params: { sledId } })).maintenance).toMatchObject({ state: 'empty' })
    expect(await view('edge')).toMatchObject({ sled: sledId })
  })

  it('is not taken out of service while it answers and has probes, of which one is named', async () => {
    const [sledId = ''] = sleds
    await create('edge')
    await rejects(
      () => w.as('fleetAdmin').sledExpunge({ params: { sledId } }),
      refused(400, 'the sled has probes: delete them first, such as "edge" of project "demo" in silo "acme"'),
    )
    await remove('edge')
    await me().sledExpunge({ params: { sledId } })
  })

  it('takes its probes with it if it does not answer', async () => {
    const [sledId = '', other = ''] = sleds
    await create('gone')
    await create('left', { sled: other })
    w.sleds.loseSled(sledId)
    await w.settle()
    expect((await me().probeList({ query })).items).toHaveLength(2)
    await w.as('fleetAdmin').sledExpunge({ params: { sledId } })
    expect((await me().probeList({ query })).items.map(({ name }) => name)).toEqual(['left'])
    expect(await utilized()).toBe(1)
  })
})

describe('the addresses of a probe', () => {
  const addPool = async (name: string, isDefault: boolean, links: boolean) => {
    await me().ipPoolCreate({ body: { name, description: '' } })
    const body = { first: '203.0.113.7', last: '203.0.113.7' }
    await me().ipPoolRangeAdd({ params: { pool: name }, body })
    if (links) await me().ipPoolSiloLink({ params: { pool: name }, body: { silo: 'acme', isDefault } })
  }

  it('are from a pool that is linked to the silo, as long as it has any', async () => {
    await addPool('small', false, true)
    await create('edge', { ipPool: 'small' })
    expect((await view('edge')).externalIps.map(({ ip }) => ip)).toEqual(['203.0.113.7'])
    await rejects(
      () => create('second', { ipPool: 'small' }),
      refused(507, 'Insufficient capacity: No external IP addresses available'),
    )
  })

  it('are not from a pool that is not linked, and need a default one unless a pool is named', async () => {
    await addPool('apart', false, false)
    await rejects(
      () => create('edge', { ipPool: 'apart' }),
      refused(404, 'not found: ip-pool with name "apart"'),
    )
    const pool = { params: { pool: 'public', silo: 'acme' } }
    await me().ipPoolSiloUpdate({ ...pool, body: { isDefault: false } })
    await rejects(() => create('edge'), refused(404, 'not found: default IP pool for current silo'))
    await create('edge', { ipPool: 'public' })
  })

  it('need the subnet `default` of the VPC `default`', async () => {
    await me().vpcSubnetDelete({ params: { subnet: 'default' }, query: inVpc })
    await rejects(() => create('edge'), refused(404, 'not found: vpc-subnet with name "default"'))
    await me().vpcDelete({ params: { vpc: 'default' }, query })
    await rejects(() => create('edge'), refused(404, 'not found: vpc with name "default"'))
  })

  it('prevent the deletion of subnet, VPC, project and range, and the end of the link of their pool', async () => {
    await create('edge')
    const subnet = { params: { subnet: 'default' }, query: inVpc }
    await rejects(
      () => me().vpcSubnetDelete(subnet),
      refused(
        400,
        'VPC Subnet cannot be deleted while network interfaces in the subnet exist, such as that of probe "edge"',
      ),
    )
    await rejects(
      () => me().vpcDelete({ params: { vpc: 'default' }, query }),
      refused(400, 'VPC cannot be deleted while VPC Subnets exist'),
    )
    await rejects(
      () => me().projectDelete({ params: { project: 'demo' } }),
      refused(400, 'project to be deleted contains a probe: edge'),
    )
    const range = { first: '10.20.0.10', last: '10.20.0.250' }
    await rejects(
      () => me().ipPoolRangeRemove({ params: { pool: 'public' }, body: range }),
      refused(
        400,
        'IP pool ranges cannot be deleted while external IP addresses are allocated from them, such as by probe "edge" of project "demo" in silo "acme"',
      ),
    )
    await rejects(
      () => me().ipPoolSiloUnlink({ params: { pool: 'public', silo: 'acme' } }),
      refused(400, 'IP addresses from this pool are in use in the linked silo'),
    )
    await remove('edge')
    await me().projectDelete({ params: { project: 'demo' } })
  })

  it('and a deletion of the subnet at the same time: one of them wins', async () => {
    const both = [() => create('edge'), () => deleteSubnet()]
    const deleteSubnet = () => me().vpcSubnetDelete({ params: { subnet: 'default' }, query: inVpc })
    const outcomes = await Promise.allSettled(both.map((one) => one()))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('are different for probes that are made at the same time', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => create(name)))
    const { items } = await me().probeList({ query })
    const all = items.flatMap((one) => [one.interface.ip, ...one.externalIps.map(({ ip }) => ip)])
    expect(new Set(all).size).toBe(8)
  })

  it('are of no interface of an instance', async () => {
    await addInstance(w, 'web')
    await create('web')
    const list = await me().vpcSubnetListNetworkInterfaces({ params: { subnet: 'default' }, query: inVpc })
    expect(list.items.map(({ ip }) => ip)).toEqual(['172.30.0.5'])
    const { interface: nic } = await view('web')
    await rejects(
      () => me().instanceNetworkInterfaceView({ params: { interface: nic.id }, query: {} }),
      refused(404, `not found: instance-network-interface with id "${nic.id}"`),
    )
    await rejects(
      () => me().instanceNetworkInterfaceDelete({ params: { interface: nic.id }, query: {} }),
      refused(404, `not found: instance-network-interface with id "${nic.id}"`),
    )
  })

  it('are shown to members of the project in the picture of the VPC', async () => {
    await create('edge')
    const { id, interface: nic } = await view('edge')
    const found = await w.as('projectViewer').vpcTopology({ params: { vpc: 'default' }, query })
    expect(found.probes).toEqual([
      {
        id,
        name: 'edge',
        subnetId: found.subnets[0]?.id,
        interfaceId: nic.id,
        ip: '172.30.0.5',
        externalIps: ['10.20.0.10'],
      },
    ])
    expect(found).toMatchObject({
      interfaces: [],
      totals: { interfaces: 0, probes: 1 },
      subnets: [{ totalInterfaces: 1 }],
    })
  })
})

describe('the network of a probe', () => {
  const nicOf = async (probe: string) => (await view(probe)).interface
  const outside = '198.51.100.1'
  /** The sleds that have the network. */
  const holding = async () => {
    const held = await Promise.all(
      sleds.map(async (id) => ((await w.sleds.networks(id)).length > 0 ? id : [])),
    )
    return held.flat()
  }
  const run = async (name: string) => {
    await addInstance(w, name, { start: true })
    await w.advance(10_000)
    const { items } = await me().instanceNetworkInterfaceList({ query: { ...query, instance: name } })
    return items[0] ?? { id: '', ip: '' }
  }
  const rule = (name: string, targets: { type: 'instance' | 'subnet' | 'ip'; value: string }[]) => ({
    name,
    description: '',
    status: 'enabled' as const,
    direction: 'inbound' as const,
    action: 'allow' as const,
    priority: 10,
    targets,
    filters: {},
  })
  const admits = async (probe: string) => {
    await w.settle()
    const { id, ip } = await nicOf(probe)
    return w.sleds.admits(id, { source: outside, destination: ip, protocol: tcp(80) })
  }

  it('is on its sled until it is deleted, also after the sled has lost it', async () => {
    await create('edge', { sled: sleds[1] ?? '' })
    await w.settle()
    expect(await holding()).toEqual([sleds[1]])
    const nic = await nicOf('edge')
    expect(w.sleds.interfaceOf(nic.id)).toMatchObject({ owner: 'probe', ip: '172.30.0.5' })
    expect(w.sleds.externalIps(nic.id).map(({ ip }) => ip)).toEqual(['10.20.0.10'])
    w.sleds.restartNetworks(sleds[1] ?? '')
    expect(await holding()).toEqual([])
    await w.advance(31_000)
    expect(await holding()).toEqual([sleds[1]])
    await remove('edge')
    await w.settle()
    expect(await holding()).toEqual([])
  })

  it('carries packets between it, instances and the outside', async () => {
    await create('edge')
    const vm = await run('web')
    const nic = await nicOf('edge')
    const carries = (from: { id: string; ip: string }, destination: string) =>
      w.sleds.carries(from.id, { source: from.ip, destination, protocol: tcp(80) })
    expect(carries(vm, nic.ip)).toBe(true)
    expect(carries(nic, vm.ip)).toBe(true)
    expect(carries(nic, '8.8.8.8')).toBe(true)
    await remove('edge')
    await w.settle()
    expect(carries(vm, nic.ip)).toBe(false)
  })

  it('has rules for its subnet and address, not those for an instance of its name', async () => {
    await create('web')
    expect(await admits('web')).toBe(false)
    const change = (...targets: Parameters<typeof rule>[1]) =>
      me().vpcFirewallRulesUpdate({ query: inVpc, body: { rules: [rule('in', targets)] } })
    await change({ type: 'instance', value: 'web' })
    expect(await admits('web')).toBe(false)
    await change({ type: 'subnet', value: 'default' })
    expect(await admits('web')).toBe(true)
    await change({ type: 'ip', value: '172.30.0.5' })
    expect(await admits('web')).toBe(true)
  })

  it('can be traced; a preview counts only instances that lose something', async () => {
    await create('edge')
    const { id, ip } = await nicOf('edge')
    const trace = (source: object, destination: object) =>
      w.as('projectViewer').vpcTrace({
        params: { vpc: 'default' },
        query,
        body: { source, destination, protocol: { type: 'tcp', port: 443 } } as Parameters<
          ReturnType<typeof me>['vpcTrace']
        >[0]['body'],
      })
    const out = await trace({ type: 'interface', value: id }, { type: 'ip', value: '8.8.8.8' })
    expect(out.result).toBe('pass')
    expect(out.steps[0]).toMatchObject({
      text: "Probe 'edge' sends with its own address 172.30.0.5.",
      instanceId: null,
      interfaceId: id,
    })
    const into = await trace({ type: 'ip', value: outside }, { type: 'ip', value: '10.20.0.10' })
    expect(into).toMatchObject({ result: 'drop', text: expect.stringContaining("probe 'edge'") as string })
    const preview = await me().vpcPreview({
      params: { vpc: 'default' },
      query,
      body: { change: { type: 'firewall_rules', rules: [] } },
    })
    expect(preview).toMatchObject({ instances: [], totalInstances: 0 })
    expect(ip).toBe('172.30.0.5')
  })

  it('keeps its pool attached to the gateway', async () => {
    await create('edge')
    const gateway = { ...inVpc, gateway: 'default' }
    await rejects(() => me().internetGatewayIpPoolDelete({ params: { pool: 'default' }, query: gateway }), {
      status: 400,
      message: expect.stringContaining('VPC routes dependent on this IP pool') as string,
    })
  })
})

describe('the roles that requests about probes need', () => {
  const held = [null, 'viewer', 'collaborator', 'admin'] as const
  type Held = (typeof held)[number]
  const onProject: Record<Role | 'none', Who> = {
    none: 'noRole',
    viewer: 'projectViewer',
    collaborator: 'projectCollaborator',
    admin: 'projectAdmin',
  }
  const rank = (role: Held) => (role === null ? 0 : 3 - roles.indexOf(role))
  const statusOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'ok',
      (error: { status: number }) => error.status,
    )
  const needs = {
    list: ['viewer', 'viewer'],
    create: ['collaborator', 'admin'],
    view: ['collaborator', 'viewer'],
    remove: ['collaborator', 'admin'],
  } as const

  it('are one on the project and one on the fleet at once: 403 without one, 404 for those outside', async () => {
    await create('edge')
    const found: unknown[] = []
    const expected: unknown[] = []
    for (const project of held)
      for (const fleet of held) {
        const who = onProject[project ?? 'none']
        await setFleetRole(w, who, fleet)
        const client = w.as(who)
        const may = (verb: keyof typeof needs) => {
          const [onIt, onFleet] = needs[verb]
          if (project === null) return 404
          return rank(project) >= rank(onIt) && rank(fleet) >= rank(onFleet) ? 'ok' : 403
        }
        const made = `by-${project}-${fleet}`
        const here = [project, fleet]
        found.push([
          ...here,
          await statusOf(client.probeList({ query })),
          await statusOf(create(made, {}, who)),
          await statusOf(client.probeView(at('edge'))),
          await statusOf(client.probeDelete(at(may('remove') === 'ok' ? made : 'edge'))),
        ])
        expected.push([...here, may('list'), may('create'), may('view'), may('remove')])
        await setFleetRole(w, who, null)
      }
    expect(found).toEqual(expected)
    expect(await statusOf(w.anonymous.probeList({ query }))).toBe(401)
    expect(await statusOf(w.as('stranger').probeList({ query }))).toBe(404)
  })

  it('are explained, both of them', async () => {
    const about = { operation: 'probe_create', resource: 'project:demo' }
    const identity = w.ids['collaborator'] ?? ''
    const mine = await me().accessExplain({ query: { identity, ...about } })
    expect(mine).toMatchObject({ allowed: true, isComplete: true })
    expect(mine.items.map(({ level, role }) => `${level} ${role}`)).toEqual(['fleet admin', 'project admin'])
    const who = await me().accessWhoCan({ query: about })
    expect(who).toMatchObject({ isComplete: true })
    expect(who.items.map(({ id }) => id)).toEqual([identity])
    expect(who.items[0]?.paths.map(({ level, roleName }) => `${level} ${roleName}`).toSorted()).toEqual([
      'fleet admin',
      'silo collaborator',
    ])
    const unseen = await w.as('viewer').accessWhoCan({ query: about })
    expect(unseen).toMatchObject({ isComplete: false, items: [] })
    await setFleetRole(w, 'collaborator', 'viewer')
    const weaker = await me().accessExplain({ query: { identity, ...about } })
    expect(weaker.allowed).toBe(false)
    const { items } = await me().accessOperationList({ query: { limit: 1000 } })
    expect(items.find(({ operation }) => operation === 'probe_create')).toMatchObject({
      allow: ['project.collaborator'],
      alsoNeeds: 'fleet.admin',
    })
  })
})
