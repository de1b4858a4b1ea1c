import type { Client } from '@purlin/contract/client'
import { operations, type OperationName, type Operations } from '@purlin/contract/operations'
import { hasNames, kindNames, typeOf, type KindName } from '@purlin/contract/rules/kinds'
import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withoutRequest } from '#/context.ts'
import { kindRows, type Container } from '#/db/kinds.ts'
import { newRowId } from '#/db/row-id.ts'
import { insertChild } from './rows.ts'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { bodyOf } from '#/testing/requests.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

const isBlocking = (kind: KindName) => Object.keys(kindRows[kind].blocks).length > 0

const query = { project: 'web' }
const inNet = { ...query, vpc: 'net' }
const parents: Partial<Record<KindName, string>> = { project: '', vpcSubnet: 'project=web&vpc=net' }

/** Makes one of a kind named `fresh`, in the project `web` or in its VPC `net`. */
async function make(kind: KindName): Promise<{ id: string }> {
  const client = w.as('admin')
  if (kind === 'networkInterface') return makeInterface()
  if (kind === 'snapshot' || kind === 'image') await makeDisk()
  if (kind === 'image') w.ids['yesterday'] = (await post('snapshot')).id
  const made = await post(kind)
  if (kind === 'image') await client.snapshotDelete({ params: { snapshot: 'fresh' }, query })
  if (kind === 'snapshot' || kind === 'image') await client.diskDelete({ params: { disk: 'data' }, query })
  return made
}

/** Sends the body that the sweep over all operations sends. */
async function post(kind: KindName): Promise<{ id: string }> {
  const name = `${kind}Create` as OperationName
  const network = kind === 'instance' ? { network_interfaces: { type: 'none' } } : {}
  const body = { ...(bodyOf(w, name) as object), ...network }
  const url = `${operations[name].path}?${parents[kind] ?? 'project=web'}`
  const { status, json } = await w.raw({ method: 'POST', url, who: 'admin', body: JSON.stringify(body) })
  expect(status, JSON.stringify(json)).toBe(201)
  return json as { id: string }
}

const makeDisk = () =>
  w.as('admin').diskCreate({
    query,
    body: {
      name: 'data',
      description: '',
      size: GiB,
      diskSource: { type: 'blank', blockSize: 512 },
    },
  })
const makeInterface = () => {
  const nic = { name: 'fresh', description: '', vpcName: 'net', subnetName: 'default' }
  const networkInterfaces = { type: 'create' as const, params: [nic] }
  return addInstance(w, 'vm', { networkInterfaces }, 'web')
}

/** Deletes a container; there is no operation yet that deletes a silo. */
const remove: Record<Exclude<Container, 'silo'>, (client: Client<Operations>) => Promise<unknown>> = {
  project: (client) => client.projectDelete({ params: query }),
  vpc: (client) => client.vpcDelete({ params: { vpc: 'net' }, query }),
  vpcSubnet: (client) => client.vpcSubnetDelete({ params: { subnet: 'default' }, query: inNet }),
}

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(() => w.close())

/** Creates the project `web` with only the resources that are needed to create one of the kind in the container. */
async function prepare(container: Container): Promise<void> {
  const client = w.as('admin')
  // Later than the project of the world, whose subnet has the same name.
  await w.advance(1000)
  await client.projectCreate({ body: { name: 'web', description: '' } })
  const deleteSubnet = (vpc: string) =>
    client.vpcSubnetDelete({ params: { subnet: 'default' }, query: { ...query, vpc } })
  await deleteSubnet('default')
  await client.vpcDelete({ params: { vpc: 'default' }, query })
  if (container === 'project') return
  await client.vpcCreate({ query, body: { name: 'net', description: '', dnsName: 'net' } })
  if (container === 'vpc') await deleteSubnet('net')
}

// A probe needs the VPC that a project begins with: it has the same tests elsewhere.
const cases = kindNames
  .filter((kind) => isBlocking(kind) && kind !== 'probe')
  .flatMap((kind) => Object.keys(kindRows[kind].blocks).map((container) => [kind, container] as const))
  .filter((one): one is [KindName, keyof typeof remove] => one[1] in remove)

describe.each(cases)('a new %s in a %s', (kind, container) => {
  it('is not made while its container is being deleted', async () => {
    await prepare(container)
    // A snapshot and an image need other resources, which prevent the deletion as well.
    const [made, removed] = await Promise.allSettled([make(kind), remove[container](w.as('admin'))])
    expect([made.status, removed.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('prevents its deletion', async () => {
    await prepare(container)
    const { id } = await make(kind)
    const noun = typeOf(kind, { projectId: 'web' }).replaceAll('-', ' ')
    const message = {
      project: new RegExp(`^project to be deleted contains an? ${noun}: ${hasNames(kind) ? 'fresh' : id}$`),
      vpc: /^VPC cannot be deleted while VPC Subnets exist$/,
      vpcSubnet: /^VPC Subnet cannot be deleted while network interfaces in the subnet exist$/,
    }[container]
    await expect(remove[container](w.as('admin'))).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message) as string,
    })
  })
})

it('a new row is refused if its container is gone', async () => {
  await prepare('project')
  const [project] = await inDb(w, (tx) =>
    tx.selectFrom('project').selectAll().where('name', '=', 'web').execute(),
  )
  if (!project) throw new Error('no project')
  const gone = { ...project, id: newRowId(w.world), name: 'late', siloId: newRowId(w.world) }
  const late = inDb(w, (tx) => insertChild({ ...withoutRequest(tx), world: w.world }, 'project', gone))
  await expect(late).rejects.toMatchObject({ status: 404 })
})

it('a new row changes no row that creates of other projects read', async () => {
  const written = new Set<string>()
  const end = w.world.engine.onWritten((tables) => tables.forEach((table) => written.add(table)))
  await addInstance(w, 'web', { networkInterfaces: { type: 'none' } })
  end()
  expect(written).toContain('instance')
  expect([...written].filter((table) => ['project', 'silo'].includes(table))).toEqual([])
})
