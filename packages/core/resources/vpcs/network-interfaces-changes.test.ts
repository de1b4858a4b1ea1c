import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { specOf } from '#/loops/instances/spec.ts'
import { forceRow, instancesOf, rowOf, swift } from '#/testing/machines.ts'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { answers, projectWrite } from '#/testing/roles.ts'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld({ timings: swift })
  await addInstance(w, 'web')
  for (const [i, name] of ['a', 'b', 'c'].entries()) await addSubnet(name, `10.0.${i}.0/24`)
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
const inWeb = { ...query, instance: 'web' }
const me = () => w.as('projectCollaborator')
const nics = async (instance = 'web') =>
  (await me().instanceNetworkInterfaceList({ query: { ...query, instance } })).items
const names = async () => (await nics()).map((nic) => nic.name)
const addSubnet = (name: string, ipv4Block: string, vpc = 'default') =>
  me().vpcSubnetCreate({ query: { ...query, vpc }, body: { name, description: '', ipv4Block } })
interface New {
  vpcName?: string
  subnetName?: string
  ip?: string
  transitIps?: string[]
}
/** Adds an interface, in the subnet of its name. */
const add = (name: string, more: New = {}, instance = 'web') =>
  me().instanceNetworkInterfaceCreate({
    query: { ...query, instance },
    body: { name, description: '', vpcName: 'default', subnetName: name, ...more },
  })
type Changes = Parameters<ReturnType<typeof me>['instanceNetworkInterfaceUpdate']>[0]['body']
const update = (name: string, body: Changes) =>
  me().instanceNetworkInterfaceUpdate({ params: { interface: name }, query: inWeb, body })
const remove = (name: string) =>
  me().instanceNetworkInterfaceDelete({ params: { interface: name }, query: inWeb })
const invalid = (message: string) => ({ status: 400, code: 'InvalidRequest', message })
const notStopped = ['creating', 'starting', 'running', 'rebooting', 'migrating', 'stopping'] as const
const rejects = rejectsIn(() => w)

describe('create', () => {
  it('answers 201 with an interface that is not primary', async () => {
    const { status, json } = await w.raw({
      method: 'POST',
      url: '/v1/network-interfaces?project=demo&instance=web',
      who: 'projectCollaborator',
      body: JSON.stringify({ name: 'a', description: 'more', vpc_name: 'default', subnet_name: 'a' }),
    })
    expect(status).toBe(201)
    const web = await rowOf(w, 'web')
    expect(json).toMatchObject({
      name: 'a',
      description: 'more',
      instance_id: web.id,
      ip: '10.0.0.5',
      primary: false,
    })
    expect(await names()).toEqual(['a', 'net0'])
    expect(await disorder(w)).toEqual([])
  })

  it('needs its instance in the query', async () => {
    const { status } = await w.raw({
      method: 'POST',
      url: '/v1/network-interfaces?project=demo',
      who: 'projectCollaborator',
      body: JSON.stringify({ name: 'a', description: '', vpc_name: 'default', subnet_name: 'a' }),
    })
    expect(status).toBe(400)
  })

  it('the machine gets it at its next start', async () => {
    const before = await rowOf(w, 'web')
    const { id } = await add('a')
    await instancesOf(w).start('web')
    await w.advance(200)
    const web = await rowOf(w, 'web')
    // One for the interface, so that a start that has read the row before it fails.
    expect(web.generation).toBeGreaterThan(before.generation + 1)
    const { nics } = await inDb(w, (tx) => specOf(tx, web))
    const nicIds = nics.map((nic) => nic.id)
    expect(nicIds).toEqual([expect.any(String), id])
    const enforced = nicIds.map((nicId) => w.sleds.interfaceOf(nicId))
    expect(enforced).toMatchObject([
      { ip: '172.30.0.5', primary: true },
      { id, ip: '10.0.0.5', primary: false },
    ])
  })

  it.each([...notStopped, 'failed'] as const)('not while the instance is %s', async (runState) => {
    await forceRow(w, 'web', { runState })
    await rejects(() => add('a'), invalid('Instance must be stopped to attach a new network interface'))
  })

  it('the first one is primary and brings source NAT', async () => {
    await addInstance(w, 'bare', { networkInterfaces: { type: 'none' } })
    expect(await add('a', {}, 'bare')).toMatchObject({ primary: true })
    const ips = await me().instanceExternalIpList({ params: { instance: 'bare' }, query })
    expect(ips.items).toMatchObject([{ kind: 'snat' }])
    expect(await disorder(w)).toEqual([])
  })

  it('a first one after the last was deleted: there is still one source NAT address', async () => {
    await remove('net0')
    expect(await nics()).toEqual([])
    expect(await add('a')).toMatchObject({ primary: true })
    const ips = await me().instanceExternalIpList({ params: { instance: 'web' }, query })
    expect(ips.items).toMatchObject([{ kind: 'snat' }])
  })

  it('at most eight, at the lowest free slot', async () => {
    for (let i = 0; i < 7; i++) {
      await addSubnet(`s${i}`, `10.1.${i}.0/24`)
      await add(`s${i}`)
    }
    await rejects(() => add('a'), invalid('May not attach more than 8 network interfaces'))
    await remove('s2')
    const { id } = await add('a')
    const row = await inDb(w, (tx) =>
      tx.selectFrom('networkInterface').select('slot').where('id', '=', id).executeTakeFirstOrThrow(),
    )
    expect(row.slot).toBe(3)
  })

  it('all of one VPC', async () => {
    await me().vpcCreate({ query, body: { name: 'other', description: '', dnsName: 'other' } })
    await rejects(
      () => add('x', { vpcName: 'other', subnetName: 'default' }),
      invalid(
        'Networking may not span multiple VPCs, but the requested resource is associated with another VPC',
      ),
    )
  })

  it('each in a different subnet', async () => {
    await rejects(
      () => add('x', { subnetName: 'default' }),
      invalid('Each interface must be in a distinct VPC Subnet'),
    )
  })

  it('with a name that is unique in the instance', async () => {
    await rejects(() => add('net0', { subnetName: 'a' }), {
      status: 400,
      code: 'ObjectAlreadyExists',
      message: 'already exists: instance-network-interface "net0"',
    })
    await addInstance(w, 'other')
    await add('a', {}, 'other')
    await add('a')
  })

  it.each([
    [{ vpcName: 'nope', subnetName: 'a' }, 'not found: vpc with name "nope"'],
    [{ subnetName: 'nope' }, 'not found: vpc-subnet with name "nope"'],
  ])('in a subnet that exists: %j', async (place, message) => {
    await rejects(() => add('x', place), { status: 404, message })
  })

  it('with the requested address, or refused', async () => {
    expect(await add('a', { ip: '10.0.0.77' })).toMatchObject({ ip: '10.0.0.77' })
    const wrong: [string, string][] = [
      ['10.0.0.5', '10.0.0.5 is outside subnet 10.0.1.0/24'],
      ['10.0.1.4', 'The first 5 addresses of a subnet are reserved'],
      ['10.0.1.255', 'Cannot request a broadcast address'],
    ]
    for (const [ip, message] of wrong) await rejects(() => add('b', { ip }), invalid(message))
    await addInstance(w, 'other')
    await rejects(
      () => add('a', { ip: '10.0.0.77' }, 'other'),
      invalid("The IP address '10.0.0.77' is not available"),
    )
  })

  it('with transit IPs that are networks', async () => {
    await rejects(
      () => add('a', { transitIps: ['10.9.0.1/16'] }),
      invalid('transit IP block 10.9.0.1/16 has a non-zero host identifier'),
    )
    expect(await add('a', { transitIps: ['10.9.0.0/16'] })).toMatchObject({ transitIps: ['10.9.0.0/16'] })
  })

  it('at the same time: each at a different slot, one primary', async () => {
    await addInstance(w, 'bare', { networkInterfaces: { type: 'none' } })
    await Promise.allSettled(['a', 'b', 'c'].map((name) => add(name, {}, 'bare')))
    const rows = await inDb(w, (tx) => tx.selectFrom('networkInterface').selectAll().execute())
    const slots = rows.map((row) => `${row.instanceId} ${row.slot}`)
    expect(new Set(slots).size).toBe(slots.length)
    expect(await disorder(w)).toEqual([])
  })
})

describe('update', () => {
  it('changes name and description; absent or null fields stay', async () => {
    const made = await add('a')
    await w.advance(1000)
    const now = new Date(w.clock.now())
    expect(await update('a', { name: 'b', description: null })).toEqual({
      ...made,
      name: 'b',
      timeModified: now,
    })
    expect(await update('b', { description: 'second' })).toMatchObject({ name: 'b', description: 'second' })
  })

  it('by id too', async () => {
    const { id } = await add('a')
    const body = { name: 'b' }
    const view = await me().instanceNetworkInterfaceUpdate({ params: { interface: id }, query: {}, body })
    expect(view).toMatchObject({ id, name: 'b' })
  })

  it('not to a name that another interface of the instance has', async () => {
    await add('a')
    await rejects(() => update('a', { name: 'net0' }), {
      status: 400,
      code: 'ObjectAlreadyExists',
      message: 'already exists: instance-network-interface "net0"',
    })
  })

  it('makes an interface primary instead of the one that was', async () => {
    await add('a')
    expect(await update('a', { primary: true })).toMatchObject({ primary: true })
    expect(await nics()).toMatchObject([
      { name: 'a', primary: true },
      { name: 'net0', primary: false },
    ])
    expect(await update('a', { primary: true })).toMatchObject({ primary: true })
    expect(await disorder(w)).toEqual([])
  })

  it('never leaves an instance without a primary one', async () => {
    expect(await update('net0', { primary: false })).toMatchObject({ primary: true })
  })

  it('replaces the transit IPs; absent means none', async () => {
    await update('net0', { transitIps: ['10.9.0.0/16', 'fd00::/64'] })
    expect(await nics()).toMatchObject([{ transitIps: ['10.9.0.0/16', 'fd00::/64'] }])
    expect(await update('net0', { description: 'x' })).toMatchObject({ transitIps: [] })
  })

  it.each([
    [['10.9.0.1/16'], 'transit IP block 10.9.0.1/16 has a non-zero host identifier'],
    [['224.0.0.0/8'], 'transit IP block 224.0.0.0/8 is a multicast network'],
    [['127.0.0.1/32'], 'transit IP 127.0.0.1/32 is a loopback network'],
    [['10.0.0.0/8', '10.9.0.0/16'], 'transit IP block 10.9.0.0/16 overlaps with 10.0.0.0/8'],
  ])('refuses transit IPs %j', async (transitIps, message) => {
    await rejects(() => update('net0', { transitIps }), invalid(message))
  })

  it.each([...notStopped, 'failed'] as const)('not while the instance is %s', async (runState) => {
    await forceRow(w, 'web', { runState })
    await rejects(
      () => update('net0', { description: 'x' }),
      invalid('Instance must be stopped to update its network interfaces'),
    )
  })
})

describe('delete', () => {
  it('answers 204 and releases the address', async () => {
    await add('a')
    const { status } = await w.raw({
      method: 'DELETE',
      url: '/v1/network-interfaces/a?project=demo&instance=web',
      who: 'projectCollaborator',
    })
    expect(status).toBe(204)
    expect(await names()).toEqual(['net0'])
    expect(await add('a')).toMatchObject({ ip: '10.0.0.5' })
    expect(await disorder(w)).toEqual([])
  })

  it('the primary one is deleted last', async () => {
    await add('a')
    await rejects(
      () => remove('net0'),
      invalid('The primary interface may not be deleted while secondary interfaces are still attached'),
    )
    await remove('a')
    await remove('net0')
    expect(await nics()).toEqual([])
  })

  it('a subnet can be deleted after its last interface', async () => {
    await add('a')
    const gone = () => me().vpcSubnetDelete({ params: { subnet: 'a' }, query: { ...query, vpc: 'default' } })
    await rejects(gone, invalid('VPC Subnet cannot be deleted while network interfaces in the subnet exist'))
    await remove('a')
    await gone()
  })

  it('of a failed instance too', async () => {
    await forceRow(w, 'web', { runState: 'failed' })
    await remove('net0')
    expect(await nics()).toEqual([])
  })

  it.each(notStopped)('not while the instance is %s', async (runState) => {
    await forceRow(w, 'web', { runState })
    await rejects(
      () => remove('net0'),
      invalid('Instance must be stopped or failed to detach a network interface'),
    )
  })
})

it('an interface during a start: the machine has it, or it is refused', async () => {
  const vm = instancesOf(w)
  const [added] = await Promise.allSettled([add('a'), vm.start('web')])
  if (added.status === 'rejected') expect(added.reason).toMatchObject({ status: 400 })
  expect(await names()).toEqual(added.status === 'fulfilled' ? ['a', 'net0'] : ['net0'])
  await w.advance(200)
  expect(await disorder(w)).toEqual([])
})

it('collaborators of the project may create, update and delete', async () => {
  const body = { name: 'a', description: '', vpcName: 'default', subnetName: 'a' }
  const createAs = async (c: ReturnType<TestWorld['as']>) => {
    await c.instanceNetworkInterfaceCreate({ query: inWeb, body })
    await remove('a')
  }
  expect(await answers(w, createAs)).toEqual(projectWrite)
  const net0 = { params: { interface: 'net0' }, query: inWeb }
  const changes = { description: 'changed' }
  expect(await answers(w, (c) => c.instanceNetworkInterfaceUpdate({ ...net0, body: changes }))).toEqual(
    projectWrite,
  )
  await add('a')
  const removeAs = async (c: ReturnType<TestWorld['as']>) => {
    await c.instanceNetworkInterfaceDelete({ params: { interface: 'a' }, query: inWeb })
    await add('a')
  }
  expect(await answers(w, removeAs)).toEqual(projectWrite)
})
