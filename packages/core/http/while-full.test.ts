import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DatabaseUnusable, StorageFull, type Engine } from '#/ports.ts'
import { openTestEngine } from '#/testing/engines.ts'
import { addInstance } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

const query = { project: 'demo' }
const full = { status: 507, code: 'InsufficientCapacity' }

let isFull: boolean
/** The errors of the next write transactions, one each. */
let failures: Error[]
let trouble: string | undefined
let w: TestWorld
beforeEach(async () => {
  isFull = false
  failures = []
  trouble = undefined
  w = await openWorld({ engine: failing(await openTestEngine()), storage: { isFull: () => isFull } })
  // The first rounds of the loops write as well, and would take a failure that is meant for a request.
  await w.settle()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

function failing(engine: Engine): Engine {
  const transaction: Engine['transaction'] = (mode, ...rest) => {
    const failure = mode === 'write' ? failures.shift() : undefined
    return failure ? Promise.reject(failure) : engine.transaction(mode, ...rest)
  }
  return { ...engine, transaction, trouble: () => trouble }
}

const createVpc = () =>
  w.as('admin').vpcCreate({ query, body: { name: 'net', description: '', dnsName: 'net' } })
const signIn = () =>
  w.anonymous.loginLocal({
    params: { siloName: 'acme' },
    body: { username: 'viewer', password: 'viewer-password' },
  })

describe('while the storage is full', () => {
  it('writes that need space are refused with 507, for every resource', async () => {
    isFull = true
    await expect(createVpc()).rejects.toMatchObject(full)
    await expect(
      w.as('admin').projectUpdate({ params: query, body: { description: 'longer' } }),
    ).rejects.toMatchObject(full)
  })

  it('reads, deletes, sign-ins and sign-outs work', async () => {
    await createVpc()
    isFull = true
    const net = { params: { vpc: 'net' }, query }
    expect(await w.as('viewer').vpcView(net)).toMatchObject({ name: 'net' })
    await w.as('admin').vpcSubnetDelete({ params: { subnet: 'default' }, query: { ...query, vpc: 'net' } })
    await w.as('admin').vpcDelete(net)
    await signIn()
    await w.as('viewer').logout()
    await expect(w.as('viewer').currentUserView({ query: {} })).rejects.toMatchObject({ status: 401 })
  })

  it('an instance is stopped, so that it can be deleted', async () => {
    await addInstance(w, 'vm', { start: true })
    await w.advance(60_000)
    isFull = true
    await w.as('admin').instanceStop({ params: { instance: 'vm' }, query })
    await w.advance(60_000)
    await w.as('admin').instanceDelete({ params: { instance: 'vm' }, query })
  })

  it('queries that are sent as POST are reads', async () => {
    isFull = true
    const query = 'get virtual_machine:vcpu_usage | filter timestamp > @now() - 1m'
    await w.as('admin').timeseriesQuery({ query: { project: 'demo' }, body: { query } })
  })
})

describe('a write that finds the storage full', () => {
  it('is refused with 507 and not tried again', async () => {
    failures = [new StorageFull('no room')]
    await expect(createVpc()).rejects.toMatchObject(full)
    await createVpc()
  })

  it.each<[string, () => Promise<unknown>]>([
    ['a delete', () => w.as('admin').vpcDelete({ params: { vpc: 'net' }, query })],
    ['a sign-in', signIn],
    ['a sign-out', () => w.as('viewer').logout()],
  ])('and is %s is done with the reserve that is given up', async (_name, act) => {
    await createVpc()
    await w.as('admin').vpcSubnetDelete({ params: { subnet: 'default' }, query: { ...query, vpc: 'net' } })
    failures = [new StorageFull('no room')]
    await act()
    expect(failures).toEqual([])
  })
})

describe('while the database cannot be used', () => {
  it('requests are refused with 503 and the reason', async () => {
    failures = [new DatabaseUnusable('the database can be read only')]
    await expect(createVpc()).rejects.toMatchObject({
      status: 503,
      message: 'Service Unavailable: the database can be read only',
    })
  })

  it('ping says so', async () => {
    expect(await w.anonymous.ping()).toEqual({ status: 'ok' })
    trouble = 'the database file is damaged'
    await expect(w.anonymous.ping()).rejects.toMatchObject({
      status: 503,
      message: `Service Unavailable: ${trouble}`,
    })
  })
})
