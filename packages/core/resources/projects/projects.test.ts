import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addGroup, instancesOf } from '#/testing/machines.ts'
import { addFloatingIp, addRouter, inDb } from '#/testing/networks/networks.ts'
import { answers, projectRead } from '#/testing/roles.ts'
import { disorder, dump, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const at = (project: string) => ({ params: { project } })
const create = (name: string, who: Who = 'admin', description = '') =>
  w.as(who).projectCreate({ body: { name, description } })
const show = (project: string, who: Who = 'admin') => w.as(who).projectView(at(project))
const remove = (project: string, who: Who = 'admin') => w.as(who).projectDelete(at(project))
const names = async (who: Who) => (await w.as(who).projectList({ query: {} })).items.map((one) => one.name)
const projectAdmins = { ...projectRead, viewer: 403, projectCollaborator: 403, projectViewer: 403 } as const
const exists = (name: string) => ({
  status: 400,
  code: 'ObjectAlreadyExists',
  message: `already exists: project "${name}"`,
})

const rejects = rejectsIn(() => w)
/** Deletes what a new project comes with, so that it can be deleted itself. */
async function empty(project: string): Promise<void> {
  await w.as('admin').vpcSubnetDelete({ params: { subnet: 'default' }, query: { vpc: 'default', project } })
  await w.as('admin').vpcDelete({ params: { vpc: 'default' }, query: { project } })
}

describe('making a project', () => {
  it('is for collaborators and admins of the silo', async () => {
    const found = await answers(w, (client, name) =>
      client.projectCreate({ body: { name, description: '' } }),
    )
    expect(found).toEqual({
      admin: 'ok',
      collaborator: 'ok',
      stranger: 'ok',
      viewer: 403,
      noRole: 403,
      projectAdmin: 403,
      projectCollaborator: 403,
      projectViewer: 403,
      fleetAdmin: 403,
      anonymous: 401,
    })
  })

  it('answers with the project; it belongs to the caller’s silo', async () => {
    const now = new Date(w.clock.now())
    const view = await create('web', 'collaborator', 'front and back')
    expect(view).toEqual({
      id: view.id,
      name: 'web',
      description: 'front and back',
      timeCreated: now,
      timeModified: now,
    })
    expect(await show('web')).toEqual(view)
    await expect(show('web', 'stranger')).rejects.toMatchObject({ status: 404 })
  })

  it('comes with a complete VPC named default', async () => {
    await create('web')
    const query = { project: 'web' }
    const vpcs = (await w.as('viewer').vpcList({ query })).items
    expect(vpcs).toMatchObject([
      {
        name: 'default',
        dnsName: 'default',
        ipv6Prefix: expect.stringMatching(/^fd[0-9a-f:]+\/48$/) as string,
      },
    ])
    const subnets = (await w.as('viewer').vpcSubnetList({ query: { ...query, vpc: 'default' } })).items
    expect(subnets).toMatchObject([{ name: 'default', ipv4Block: '172.30.0.0/22' }])
    const vpcId = vpcs[0]?.id ?? ''
    const count = (table: 'vpcRouter' | 'vpcFirewallRule' | 'internetGateway') =>
      inDb(
        w,
        async (tx) => (await tx.selectFrom(table).select('id').where('vpcId', '=', vpcId).execute()).length,
      )
    expect([await count('vpcRouter'), await count('internetGateway')]).toEqual([1, 1])
    expect(await count('vpcFirewallRule')).toBeGreaterThan(0)
  })

  it('gives its creator no role', async () => {
    await create('web', 'collaborator')
    expect(await w.as('admin').projectPolicyView(at('web'))).toEqual({ roleAssignments: [] })
  })

  it('names are unique in the silo, not beyond it', async () => {
    await create('web')
    await rejects(() => create('web', 'collaborator'), exists('web'))
    expect(await create('web', 'stranger')).toMatchObject({ name: 'web' })
    await rejects(() => create('demo'), exists('demo'))
  })

  it('a description has at most 512 characters', async () => {
    await rejects(() => create('web', 'admin', 'd'.repeat(513)), { status: 400, code: 'InvalidValue' })
    expect(await create('web', 'admin', '😀'.repeat(512))).toMatchObject({ name: 'web' })
  })

  it('description and name are required', async () => {
    for (const [body, field] of [
      ['{"name":"web"}', 'description'],
      ['{"description":""}', 'name'],
    ] as const) {
      const { json } = await w.raw({ method: 'POST', url: '/v1/projects', who: 'admin', body })
      expect(json).toMatchObject({ message: expect.stringContaining(`missing field \`${field}\``) as string })
    }
  })

  it('a failure after the first insert leaves nothing behind', async () => {
    const bytes = w.world.ids.bytes.bind(w.world.ids)
    w.world.ids.bytes = () => {
      throw new Error('no randomness')
    }
    const before = await dump(w)
    await expect(create('web')).rejects.toMatchObject({ status: 500 })
    w.world.ids.bytes = bytes
    expect(await dump(w)).toEqual(before)
    expect(w.errors.splice(0)).toHaveLength(1)
  })

  it('many concurrent creates of one name: one project', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => create('web')))
    expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    for (const one of outcomes)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 400 })
  })
})

describe('seeing projects', () => {
  it('viewers of the project may', async () => {
    expect(await answers(w, (client) => client.projectView(at('demo')))).toEqual(projectRead)
  })

  it('by id too, in either case; other users do not learn that it exists', async () => {
    const id = w.ids['demo'] ?? ''
    for (const ref of [id, id.toUpperCase()])
      expect(await show(ref, 'projectViewer')).toMatchObject({ id, name: 'demo' })
    await expect(show(id, 'stranger')).rejects.toMatchObject({
      status: 404,
      message: `not found: project with id "${id}"`,
    })
    await expect(show('nope')).rejects.toMatchObject({
      status: 404,
      message: 'not found: project with name "nope"',
    })
  })

  it('the list: all of the silo for its viewers, the own ones for members of single projects', async () => {
    await create('alpha')
    await create('omega')
    for (const who of ['admin', 'collaborator', 'viewer'] as const)
      expect(await names(who)).toEqual(['alpha', 'demo', 'omega'])
    for (const who of ['projectAdmin', 'projectViewer'] as const) expect(await names(who)).toEqual(['demo'])
    expect(await names('stranger')).toEqual([])
  })

  it('the list is refused to users without a role: 403', async () => {
    for (const who of ['noRole', 'fleetAdmin'] as const)
      await expect(names(who)).rejects.toMatchObject({ status: 403, code: 'Forbidden', message: 'Forbidden' })
    await expect(w.anonymous.projectList({ query: {} })).rejects.toMatchObject({ status: 401 })
  })

  it('the list pages', async () => {
    await create('alpha')
    const first = await w.as('viewer').projectList({ query: { limit: 1, sortBy: 'name_descending' } })
    expect(first.items.map((one) => one.name)).toEqual(['demo'])
    const rest = await w.as('viewer').projectList({ query: { limit: 1, pageToken: first.nextPage ?? '' } })
    expect(rest).toMatchObject({ items: [{ name: 'alpha' }], nextPage: null })
  })
})

describe('changing a project', () => {
  const change = (body: object, who: Who = 'admin', project = 'demo') =>
    w.as(who).projectUpdate({ ...at(project), body })

  it('is for its admins', async () => {
    const found = await answers(w, (client) =>
      client.projectUpdate({ ...at('demo'), body: { description: 'x' } }),
    )
    expect(found).toEqual(projectAdmins)
  })

  it('name and description; absent or null fields stay', async () => {
    const before = await show('demo')
    await w.advance(1000)
    const after = await change({ description: 'new' })
    expect(after).toEqual({ ...before, description: 'new', timeModified: new Date(w.clock.now()) })
    expect(await change({ name: 'renamed', description: null })).toMatchObject({
      name: 'renamed',
      description: 'new',
      id: before.id,
    })
    expect(await show('renamed')).toMatchObject({ name: 'renamed', description: 'new' })
    await expect(show('demo')).rejects.toMatchObject({ status: 404 })
  })

  it('an empty body changes nothing but the time', async () => {
    const { timeModified: _, ...before } = await show('demo')
    expect(await change({})).toMatchObject(before)
  })

  it('to a taken name is refused, to its own name is not', async () => {
    await create('web')
    await rejects(() => change({ name: 'web' }), exists('web'))
    expect(await change({ name: 'demo' })).toMatchObject({ name: 'demo' })
  })

  it('a long description is refused', () =>
    rejects(() => change({ description: 'd'.repeat(513) }), { status: 400, code: 'InvalidValue' }))

  it('its content stays reachable under the new name', async () => {
    await instancesOf(w).create('vm')
    await change({ name: 'renamed' })
    expect(
      await w.as('viewer').instanceView({ params: { instance: 'vm' }, query: { project: 'renamed' } }),
    ).toMatchObject({ name: 'vm' })
  })
})

describe('deleting a project', () => {
  it('is for its admins', async () => {
    const found = await answers(w, async (client) => {
      const project = await create('web').catch(() => null)
      if (project) {
        await empty('web')
        const assign = (
          who: 'projectAdmin' | 'projectCollaborator' | 'projectViewer',
          roleName: 'admin' | 'collaborator' | 'viewer',
        ) => ({ identityType: 'silo_user' as const, identityId: w.ids[who] ?? '', roleName })
        const roleAssignments = [
          assign('projectAdmin', 'admin'),
          assign('projectCollaborator', 'collaborator'),
          assign('projectViewer', 'viewer'),
        ]
        await w.as('admin').projectPolicyUpdate({ ...at('web'), body: { roleAssignments } })
      }
      await client.projectDelete(at('web'))
    })
    expect(found).toEqual(projectAdmins)
  })

  it('also deletes usage and roles; the name is free immediately', async () => {
    const { id } = await create('web')
    await empty('web')
    const roleAssignments = [
      { identityType: 'silo_user' as const, identityId: w.ids['noRole'] ?? '', roleName: 'viewer' as const },
    ]
    await w.as('admin').projectPolicyUpdate({ ...at('web'), body: { roleAssignments } })
    await remove('web')
    expect(JSON.stringify(await dump(w))).not.toContain(id)
    expect((await create('web')).id).not.toBe(id)
    await expect(show('web', 'noRole')).rejects.toMatchObject({ status: 404 })
  })

  it('is refused while anything is in it; the first kind found is named, in this order', async () => {
    const query = { project: 'web' }
    const { id: projectId } = await create('web')
    const client = w.as('admin')
    const now = { timeCreated: 0, timeModified: 0 }
    const identity = (name: string) => ({ id: w.world.ids.uuid(), name, description: '', ...now })
    const siloId = w.ids['acme'] ?? ''
    const diskSource = { type: 'blank' as const, blockSize: 512 as const }
    await client.instanceCreate({
      query,
      body: { name: 'vm', description: '', ncpus: 1, memory: GiB, hostname: 'vm', start: false },
    })
    await client.diskCreate({ query, body: { name: 'data', description: '', size: GiB, diskSource } })
    await addFloatingIp(w, 'front', projectId)
    await inDb(w, async (tx) => {
      const image = { os: 'debian', version: '13', size: GiB, blockSize: 512, digest: null }
      await tx
        .insertInto('image')
        .values({ ...identity('golden'), ...image, siloId, projectId, scopeId: projectId })
        .execute()
      await tx
        .insertInto('snapshot')
        .values({
          ...identity('before'),
          projectId,
          siloId,
          diskId: 'gone',
          size: GiB,
          blockSize: 512,
          state: 'ready',
        })
        .execute()
    })
    for (const kind of ['affinity', 'anti_affinity'] as const) {
      await addGroup(w, { name: `of-${kind.replace('_', '-')}`, kind, policy: 'allow', projectId })
    }
    const drop = (table: 'externalIp' | 'image' | 'snapshot' | 'affinityGroup', name: string) => () =>
      inDb(w, (tx) => tx.deleteFrom(table).where('name', '=', name).execute())
    const added = { name: 'added', description: '', ipv4Block: '10.1.0.0/24' }
    const inDefault = { ...query, vpc: 'default' }
    await client.vpcSubnetCreate({ query: inDefault, body: added })
    const clearVpc = async () => {
      await client.vpcSubnetDelete({ params: { subnet: 'added' }, query: inDefault })
      await empty('web')
    }
    const steps: [string, () => Promise<unknown>][] = [
      ['an instance: vm', () => client.instanceDelete({ params: { instance: 'vm' }, query })],
      ['a disk: data', () => client.diskDelete({ params: { disk: 'data' }, query })],
      ['a floating ip: front', drop('externalIp', 'front')],
      ['a project image: golden', drop('image', 'golden')],
      ['a snapshot: before', drop('snapshot', 'before')],
      ['a vpc: default', clearVpc],
      ['an affinity group: of-affinity', drop('affinityGroup', 'of-affinity')],
      ['an anti affinity group: of-anti-affinity', drop('affinityGroup', 'of-anti-affinity')],
    ]
    for (const [what, clear] of steps) {
      await rejects(() => remove('web'), {
        status: 400,
        code: 'InvalidRequest',
        message: `project to be deleted contains ${what}`,
      })
      await clear()
    }
    await remove('web')
  })

  it('and a new child at the same time: one of them wins, nothing is orphaned', async () => {
    for (let i = 0; i < 10; i++) {
      await create('web')
      await empty('web')
      const diskSource = { type: 'blank' as const, blockSize: 512 as const }
      const make = () =>
        w.as('admin').diskCreate({
          query: { project: 'web' },
          body: { name: 'data', description: '', size: GiB, diskSource },
        })
      const both = i % 2 ? [remove('web'), make()] : [make(), remove('web')]
      const outcomes = await Promise.allSettled(both)
      expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
      expect(await disorder(w)).toEqual([])
      const left = await show('web').catch(() => null)
      if (!left) continue
      await w.as('admin').diskDelete({ params: { disk: 'data' }, query: { project: 'web' } })
      await remove('web')
    }
  })

  it('takes with it the VPC that it began with, and all that is in it', async () => {
    const { id } = await create('web')
    await remove('web')
    expect(JSON.stringify(await dump(w))).not.toContain(id)
  })

  it('takes the default VPC with it also without its subnet', async () => {
    const { id } = await create('web')
    const query = { vpc: 'default', project: 'web' }
    await w.as('admin').vpcSubnetDelete({ params: { subnet: 'default' }, query })
    await remove('web')
    expect(JSON.stringify(await dump(w))).not.toContain(id)
  })

  it('names an instance rather than the subnet of its interface', async () => {
    await create('web')
    const vm = { name: 'vm', description: '', ncpus: 1, memory: GiB, hostname: 'vm', start: false }
    await w.as('admin').instanceCreate({ query: { project: 'web' }, body: vm })
    await rejects(() => remove('web'), {
      status: 400,
      message: 'project to be deleted contains an instance: vm',
    })
  })

  it('leaves the default VPC as it is while anything else is in the project', async () => {
    await create('web')
    const group = { name: 'apart', description: '', policy: 'fail', failureDomain: 'sled' } as const
    await w.as('admin').antiAffinityGroupCreate({ query: { project: 'web' }, body: group })
    await rejects(() => remove('web'), {
      status: 400,
      message: 'project to be deleted contains an anti affinity group: apart',
    })
  })

  it.each<[string, (vpc: { id: string; projectId: string }) => Promise<unknown>]>([
    [
      'a subnet',
      () =>
        w.as('admin').vpcSubnetCreate({
          query: { project: 'web', vpc: 'default' },
          body: { name: 'added', description: '', ipv4Block: '10.1.0.0/24' },
        }),
    ],
    ['a router', (vpc) => addRouter(w, 'added', vpc)],
    [
      'a new name',
      () =>
        w.as('admin').vpcUpdate({
          params: { vpc: 'default' },
          query: { project: 'web' },
          body: { name: 'default-2' },
        }),
    ],
    [
      'a second VPC',
      () =>
        w.as('admin').vpcCreate({
          query: { project: 'web' },
          body: { name: 'second', description: '', dnsName: 'second' },
        }),
    ],
  ])('is refused while its VPC has %s', async (_, touch) => {
    await create('web')
    const { items } = await w.as('admin').vpcList({ query: { project: 'web' } })
    for (const vpc of items) await touch(vpc)
    await rejects(() => remove('web'), {
      status: 400,
      message: expect.stringContaining('project to be deleted contains a vpc: default') as string,
    })
  })

  it('a project that is not there is not found', () => rejects(() => remove('nope'), { status: 404 }))
})
