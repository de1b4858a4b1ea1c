import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forceRow, instancesOf, swift } from '#/testing/machines.ts'
import { addFloatingIp, addInstance } from '#/testing/networks/networks.ts'
import { answers, projectWrite } from '#/testing/roles.ts'
import { disorder, dump, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
/** id of the instance `web` */
let web: string
/** id of the floating IP `front` */
let front: string
beforeEach(async () => {
  w = await openWorld({ timings: swift })
  web = (await addInstance(w, 'web')).id
  front = await addFloatingIp(w, 'front')
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
const at = (floatingIp: string) => ({ params: { floatingIp }, query })
const attach = (parent = 'web', floatingIp = 'front', who: Who = 'projectCollaborator') =>
  w.as(who).floatingIpAttach({ ...at(floatingIp), body: { kind: 'instance', parent } })
const move = (parent: string, who: Who = 'projectCollaborator') =>
  w.as(who).floatingIpAttach({ ...at('front'), body: { kind: 'instance', parent, move: true } })
const detach = (floatingIp = 'front') => w.as('projectCollaborator').floatingIpDetach(at(floatingIp))
const ips = async (instance: string) =>
  (await w.as('projectViewer').instanceExternalIpList({ params: { instance }, query })).items
const invalid = (message: string) => ({ status: 400, code: 'InvalidRequest', message })
const rejects = rejectsIn(() => w)
async function unchanged(attempt: () => Promise<unknown>): Promise<unknown> {
  const before = await dump(w)
  const answer = await attempt()
  expect(await dump(w)).toEqual(before)
  return answer
}

/** The reason to refuse an attach or detach in a state, for both kinds of address. */
const stateRefusals = [
  ['creating', invalid('cannot modify instance IPs, instance is still being created')],
  ['failed', invalid('cannot modify instance IPs, instance is in unhealthy state')],
  ['repairing', invalid('cannot modify instance IPs, instance is in unhealthy state')],
  ['starting', { status: 503, code: 'ServiceNotAvailable', message: 'Service Unavailable' }],
  ['stopping', { status: 503, code: 'ServiceNotAvailable' }],
  ['migrating', { status: 503, code: 'ServiceNotAvailable' }],
] as const

describe('attach', () => {
  it('answers 202 with the floating IP and its instance', async () => {
    const { status, json } = await w.raw({
      method: 'POST',
      url: '/v1/floating-ips/front/attach?project=demo',
      who: 'projectCollaborator',
      body: JSON.stringify({ kind: 'instance', parent: 'web' }),
    })
    expect(status).toBe(202)
    expect(json).toMatchObject({ id: front, name: 'front', instance_id: web })
    expect(await ips('web')).toMatchObject([{ kind: 'floating', id: front }, { kind: 'snat' }])
    expect(await disorder(w)).toEqual([])
  })

  it('with both by id too, and with either of them', async () => {
    const client = w.as('projectCollaborator')
    const body = { kind: 'instance' as const, parent: web }
    const view = await client.floatingIpAttach({ params: { floatingIp: front }, query: {}, body })
    expect(view).toMatchObject({ instanceId: web })
    await detach()
    const byName = { kind: 'instance' as const, parent: 'web' }
    await client.floatingIpAttach({ params: { floatingIp: front }, query: {}, body: byName })
    await detach()
    expect(await attach(web)).toMatchObject({ instanceId: web })
  })

  it('attached here already: no change, in any state', async () => {
    await attach()
    await forceRow(w, 'web', { runState: 'failed' })
    expect(await unchanged(() => attach())).toMatchObject({ instanceId: web })
  })

  it('not while it is attached to another instance', async () => {
    await addInstance(w, 'other')
    await attach('other')
    await rejects(
      () => attach(),
      invalid('floating IP cannot be attached to one instance while still attached to another'),
    )
  })

  it('an instance of another project is refused by id and not found by name', async () => {
    await w.as('admin').projectCreate({ body: { name: 'elsewhere', description: '' } })
    const { id } = await addInstance(w, 'far', {}, 'elsewhere')
    await rejects(
      () => attach(id, 'front', 'admin'),
      invalid('floating IP must be in the same project as the instance'),
    )
    await rejects(() => attach('far', 'front', 'admin'), {
      status: 404,
      message: 'not found: instance with name "far"',
    })
    // A caller who may not see the other project learns nothing about it.
    await rejects(() => attach(id), { status: 404, message: `not found: instance with id "${id}"` })
  })

  it('needs a parent of a kind that is known', async () => {
    const { status } = await w.raw({
      method: 'POST',
      url: '/v1/floating-ips/front/attach?project=demo',
      who: 'projectCollaborator',
      body: JSON.stringify({ kind: 'balancer', parent: 'web' }),
    })
    expect(status).toBe(400)
  })

  it('an instance has at most 32 external addresses, source NAT not counted', async () => {
    for (let i = 0; i < 31; i++) {
      await addFloatingIp(w, `f${i}`)
      await attach('web', `f${i}`)
    }
    await w
      .as('projectCollaborator')
      .instanceEphemeralIpAttach({ params: { instance: 'web' }, query, body: {} })
    await rejects(() => attach(), invalid('an instance may not have more than 32 external IP addresses'))
    await detach('f3')
    expect(await attach()).toMatchObject({ instanceId: web })
  })

  it.each(['stopped', 'running', 'rebooting'] as const)('to an instance that is %s', async (runState) => {
    await forceRow(w, 'web', { runState })
    expect(await attach()).toMatchObject({ instanceId: web })
    expect(await detach()).toMatchObject({ instanceId: null })
  })

  it.each(stateRefusals)('not to one that is %s', async (runState, reason) => {
    await forceRow(w, 'web', { runState })
    await rejects(() => attach(), reason)
  })

  it('a running machine keeps running', async () => {
    const vm = instancesOf(w)
    await vm.start('web')
    await w.advance(200)
    await attach()
    await w.advance(200)
    expect(await vm.view('web')).toMatchObject({ runState: 'running' })
    expect(await disorder(w)).toEqual([])
  })
})

describe('move', () => {
  beforeEach(async () => {
    await addInstance(w, 'other')
    await attach('other')
  })

  it('takes the address from one instance and gives it to the other, both running', async () => {
    const vm = instancesOf(w)
    for (const name of ['web', 'other']) await vm.start(name)
    await w.advance(200)
    expect(await move('web')).toMatchObject({ instanceId: web })
    expect(await ips('web')).toMatchObject([{ kind: 'floating', id: front }, { kind: 'snat' }])
    expect(await ips('other')).toMatchObject([{ kind: 'snat' }])
    // Networks are sent to both instances first.
    await w.advance(200)
    expect(await unchanged(() => move('web'))).toMatchObject({ instanceId: web })
    await w.advance(200)
    for (const name of ['web', 'other']) expect(await vm.view(name)).toMatchObject({ runState: 'running' })
    expect(await disorder(w)).toEqual([])
  })

  it('attaches a free address too, and needs the role to attach', async () => {
    await detach()
    expect(await move('web')).toMatchObject({ instanceId: web })
    await rejects(() => move('other', 'projectViewer'), { status: 403 })
  })

  it.each(stateRefusals)('neither from nor to an instance that is %s', async (runState, reason) => {
    await forceRow(w, 'web', { runState })
    await rejects(() => move('web'), reason)
    await forceRow(w, 'web', { runState: 'stopped' })
    await forceRow(w, 'other', { runState })
    await rejects(() => move('web'), reason)
  })

  it('at the same time as others, the address always has one instance', async () => {
    await addInstance(w, 'third')
    const remove = () => w.as('projectCollaborator').instanceDelete({ params: { instance: 'other' }, query })
    const [first, second] = await Promise.allSettled([move('web'), move('third'), detach('front'), remove()])
    for (const one of [first, second]) if (one.status === 'rejected') throw one.reason
    expect(await disorder(w)).toEqual([])
  })
})

describe('detach', () => {
  it('answers 202 and frees the address; a free one: no change', async () => {
    await attach()
    const { status, json } = await w.raw({
      method: 'POST',
      url: '/v1/floating-ips/front/detach?project=demo',
      who: 'projectCollaborator',
    })
    expect(status).toBe(202)
    expect(json).toMatchObject({ id: front, instance_id: null })
    expect(await ips('web')).toMatchObject([{ kind: 'snat' }])
    expect(await unchanged(() => detach())).toMatchObject({ instanceId: null })
  })

  it.each(stateRefusals)('not from an instance that is %s', async (runState, reason) => {
    await attach()
    await forceRow(w, 'web', { runState })
    await rejects(() => detach(), reason)
  })

  it('happens when the instance is deleted; the floating IP stays', async () => {
    await attach()
    await w.as('projectCollaborator').instanceDelete({ params: { instance: 'web' }, query })
    expect(await w.as('projectViewer').floatingIpView(at('front'))).toMatchObject({ instanceId: null })
    expect(await disorder(w)).toEqual([])
  })
})

describe('competing requests', () => {
  it('two instances want one address: one gets it', async () => {
    await addInstance(w, 'other')
    const outcomes = await Promise.allSettled([attach('web'), attach('other')])
    expect(outcomes.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await disorder(w)).toEqual([])
  })

  it('an attach during the deletion of the instance: no address is attached to a deleted instance', async () => {
    const remove = () => w.as('projectCollaborator').instanceDelete({ params: { instance: 'web' }, query })
    await Promise.allSettled([attach(), remove()])
    expect(await disorder(w)).toEqual([])
  })
})

it('collaborators of the project may attach and detach', async () => {
  const body = { kind: 'instance' as const, parent: 'web' }
  expect(await answers(w, (c) => c.floatingIpAttach({ ...at('front'), body }))).toEqual(projectWrite)
  expect(await answers(w, (c) => c.floatingIpDetach(at('front')))).toEqual(projectWrite)
})

describe('an ephemeral address', () => {
  const target = { params: { instance: 'web' }, query }
  const give = (pool?: string) =>
    w
      .as('projectCollaborator')
      .instanceEphemeralIpAttach({ ...target, body: pool === undefined ? {} : { pool } })
  const take = () => w.as('projectCollaborator').instanceEphemeralIpDetach(target)

  it('is given with 202 and the address, of the default pool or the named one', async () => {
    const { status, json } = await w.raw({
      method: 'POST',
      url: '/v1/instances/web/external-ips/ephemeral?project=demo',
      who: 'projectCollaborator',
      body: '{}',
    })
    expect(status).toBe(202)
    expect(json).toEqual({ kind: 'ephemeral', ip: '10.20.0.12', ip_pool_id: w.ids['public'] })
    expect(await ips('web')).toMatchObject([{ kind: 'ephemeral', ip: '10.20.0.12' }, { kind: 'snat' }])
    await take()
    expect(await give('public')).toMatchObject({ kind: 'ephemeral', ip: '10.20.0.12' })
  })

  it('is assigned once: a second request returns the same one, for any pool', async () => {
    const first = await give()
    expect(await unchanged(() => give())).toEqual(first)
    expect(await unchanged(() => give('nope'))).toEqual(first)
  })

  it('needs a pool that is linked to the silo', async () => {
    await rejects(() => give('nope'), { status: 404, message: 'not found: ip-pool with name "nope"' })
  })

  it('counts to the 32 that an instance may have', async () => {
    for (let i = 0; i < 32; i++) {
      await addFloatingIp(w, `f${i}`)
      await attach('web', `f${i}`)
    }
    await rejects(() => give(), invalid('an instance may not have more than 32 external IP addresses'))
  })

  it('is detached with 204 and is free for the next request', async () => {
    await give()
    const { status } = await w.raw({
      method: 'DELETE',
      url: '/v1/instances/web/external-ips/ephemeral?project=demo',
      who: 'projectCollaborator',
    })
    expect(status).toBe(204)
    expect(await ips('web')).toMatchObject([{ kind: 'snat' }])
    expect(await disorder(w)).toEqual([])
  })

  it('that is not there cannot be taken', async () => {
    await rejects(() => take(), invalid('instance does not have an ephemeral IP attached'))
  })

  it.each(['stopped', 'running', 'rebooting'] as const)('of an instance that is %s', async (runState) => {
    await forceRow(w, 'web', { runState })
    await give()
    await take()
  })

  it.each(stateRefusals)('is neither given nor taken while the instance is %s', async (runState, reason) => {
    await forceRow(w, 'web', { runState })
    await rejects(() => give(), reason)
    await forceRow(w, 'web', { runState: 'stopped' })
    await give()
    await forceRow(w, 'web', { runState })
    await rejects(() => take(), reason)
  })

  it('requested twice at the same time is assigned once', async () => {
    const [a, b] = await Promise.all([give(), give()])
    expect(a).toEqual(b)
    expect(await ips('web')).toHaveLength(2)
  })

  it('collaborators of the project may give and take it', async () => {
    expect(await answers(w, (c) => c.instanceEphemeralIpAttach({ ...target, body: {} }))).toEqual(
      projectWrite,
    )
    const takeAs = async (c: ReturnType<TestWorld['as']>) => {
      await give()
      await c.instanceEphemeralIpDetach(target)
    }
    expect(await answers(w, takeAs)).toEqual(projectWrite)
  })
})
