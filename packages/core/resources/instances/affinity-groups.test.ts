import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forceRow, instancesOf, rowOf, swift } from '#/testing/machines.ts'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { answers, projectRead, projectWrite } from '#/testing/roles.ts'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld({ timings: swift })
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
type Policy = 'allow' | 'fail'
const newGroup = (name: string, policy: Policy = 'allow') => ({
  name,
  description: '',
  policy,
  failureDomain: 'sled' as const,
})
interface Paging {
  project?: string
  limit?: number
  pageToken?: string | undefined
  sortBy?: 'name_ascending' | 'name_descending' | 'id_ascending'
}
type Changes = { name?: string | null; description?: string | null }
type Select = { project?: string }

/** Both kinds of group, through the same calls. */
const families = {
  affinity: (c: Client<Operations>) => ({
    list: (more: Paging = {}) => c.affinityGroupList({ query: { ...query, ...more } }),
    create: (name: string, policy?: Policy) => c.affinityGroupCreate({ query, body: newGroup(name, policy) }),
    view: (group: string, at: Select = query) =>
      c.affinityGroupView({ params: { affinityGroup: group }, query: at }),
    update: (group: string, body: Changes) =>
      c.affinityGroupUpdate({ params: { affinityGroup: group }, query, body }),
    remove: (group: string) => c.affinityGroupDelete({ params: { affinityGroup: group }, query }),
    members: (group: string, more: Paging = {}) =>
      c.affinityGroupMemberList({ params: { affinityGroup: group }, query: { ...query, ...more } }),
    member: (group: string, instance: string, at: Select = query) =>
      c.affinityGroupMemberInstanceView({ params: { affinityGroup: group, instance }, query: at }),
    add: (group: string, instance: string, at: Select = query) =>
      c.affinityGroupMemberInstanceAdd({ params: { affinityGroup: group, instance }, query: at }),
    drop: (group: string, instance: string, at: Select = query) =>
      c.affinityGroupMemberInstanceDelete({ params: { affinityGroup: group, instance }, query: at }),
    ofInstance: (instance: string, more: Paging = {}) =>
      c.instanceAffinityGroupList({ params: { instance }, query: { ...query, ...more } }),
  }),
  'anti-affinity': (c: Client<Operations>) => ({
    list: (more: Paging = {}) => c.antiAffinityGroupList({ query: { ...query, ...more } }),
    create: (name: string, policy?: Policy) =>
      c.antiAffinityGroupCreate({ query, body: newGroup(name, policy) }),
    view: (group: string, at: Select = query) =>
      c.antiAffinityGroupView({ params: { antiAffinityGroup: group }, query: at }),
    update: (group: string, body: Changes) =>
      c.antiAffinityGroupUpdate({ params: { antiAffinityGroup: group }, query, body }),
    remove: (group: string) => c.antiAffinityGroupDelete({ params: { antiAffinityGroup: group }, query }),
    members: (group: string, more: Paging = {}) =>
      c.antiAffinityGroupMemberList({ params: { antiAffinityGroup: group }, query: { ...query, ...more } }),
    member: (group: string, instance: string, at: Select = query) =>
      c.antiAffinityGroupMemberInstanceView({ params: { antiAffinityGroup: group, instance }, query: at }),
    add: (group: string, instance: string, at: Select = query) =>
      c.antiAffinityGroupMemberInstanceAdd({ params: { antiAffinityGroup: group, instance }, query: at }),
    drop: (group: string, instance: string, at: Select = query) =>
      c.antiAffinityGroupMemberInstanceDelete({ params: { antiAffinityGroup: group, instance }, query: at }),
    ofInstance: (instance: string, more: Paging = {}) =>
      c.instanceAntiAffinityGroupList({ params: { instance }, query: { ...query, ...more } }),
  }),
}

const bare = { networkInterfaces: { type: 'none' as const } }
const addVm = (name: string) => addInstance(w, name, bare)
const invalid = (message: string) => ({ status: 400, code: 'InvalidRequest', message })
const rejects = rejectsIn(() => w)
const namesOf = (page: { items: { name: string }[] }) => page.items.map((one) => one.name)

describe.each(['affinity', 'anti-affinity'] as const)('%s', (kind) => {
  const other = kind === 'affinity' ? 'anti-affinity' : 'affinity'
  const path = `/v1/${kind}-groups`
  const family = families[kind]
  const as = (who: Who) => family(w.as(who))
  const me = () => as('projectCollaborator')
  const notMember = (id: string) => ({
    status: 404,
    code: 'ObjectNotFound',
    message: `not found: ${kind}-group-member with id "${id}"`,
  })

  describe('create', () => {
    it('answers 201 with the group', async () => {
      const { status, json } = await w.raw({
        method: 'POST',
        url: `${path}?project=demo`,
        who: 'projectCollaborator',
        body: JSON.stringify({ name: 'g', description: 'mine', policy: 'fail', failure_domain: 'sled' }),
      })
      expect(status).toBe(201)
      expect(json).toMatchObject({
        name: 'g',
        description: 'mine',
        policy: 'fail',
        failure_domain: 'sled',
        project_id: w.ids['demo'],
      })
      expect(await me().view('g')).toMatchObject({ policy: 'fail', failureDomain: 'sled' })
    })

    it.each([
      { policy: 'maybe' },
      { failure_domain: 'rack' },
      { policy: undefined },
      { description: undefined },
    ])('refuses %j', async (wrong) => {
      const body = { name: 'g', description: '', policy: 'fail', failure_domain: 'sled', ...wrong }
      const { status } = await w.raw({
        method: 'POST',
        url: `${path}?project=demo`,
        who: 'projectCollaborator',
        body: JSON.stringify(body),
      })
      expect(status).toBe(400)
    })

    it('a group of the other kind may have the same name', async () => {
      await me().create('g')
      await families[other](w.as('projectCollaborator')).create('g')
    })
  })

  describe('a selector', () => {
    it('does not find a group of the other kind', async () => {
      const { id } = await families[other](w.as('projectCollaborator')).create('g')
      await rejects(() => me().view('g'), { status: 404 })
      await rejects(() => me().view(id, {}), {
        status: 404,
        message: `not found: ${kind}-group with id "${id}"`,
      })
      expect((await me().list()).items).toEqual([])
    })
  })

  it('delete drops the memberships, also of members that run', async () => {
    await me().create('g')
    await addVm('web')
    await me().add('g', 'web')
    await instancesOf(w).start('web')
    await w.advance(200)
    await me().remove('g')
    await rejects(() => me().view('g'), { status: 404 })
    expect((await me().ofInstance('web')).items).toEqual([])
    expect(await disorder(w)).toEqual([])
  })

  describe('a member', () => {
    beforeEach(async () => {
      await me().create('g')
      await addVm('web')
    })

    it('is added with 201 and shown with its state', async () => {
      const { id } = await rowOf(w, 'web')
      const { status, json } = await w.raw({
        method: 'POST',
        url: `${path}/g/members/instance/web?project=demo`,
        who: 'projectCollaborator',
      })
      expect(status).toBe(201)
      expect(json).toEqual({ type: 'instance', value: { id, name: 'web', run_state: 'stopped' } })
      const view = { type: 'instance', value: { id, name: 'web', runState: 'stopped' } }
      expect(await me().member('g', 'web')).toEqual(view)
      expect((await me().members('g')).items).toEqual([view])
      expect(namesOf(await me().ofInstance('web'))).toEqual(['g'])
    })

    it('is named with its group by name, both by id, or one of each', async () => {
      const { id } = await rowOf(w, 'web')
      const group = (await me().view('g')).id
      await me().add(group, id, {})
      for (const [ref, instance, at] of [
        ['g', 'web', query],
        [group, id, {}],
        ['g', id, query],
        [group, 'web', {}],
      ] as const)
        expect(await me().member(ref, instance, at)).toMatchObject({ value: { id } })
      await rejects(() => me().member(group, id), { status: 400 })
      await rejects(() => me().member('g', 'web', {}), { status: 400 })
    })

    it('is added once', async () => {
      await me().add('g', 'web')
      const { id } = await rowOf(w, 'web')
      await rejects(() => me().add('g', 'web'), {
        status: 400,
        code: 'ObjectAlreadyExists',
        message: `already exists: ${kind}-group-member "${id}"`,
      })
    })

    it('is an instance of the project', async () => {
      await w.as('admin').projectCreate({ body: { name: 'elsewhere', description: '' } })
      const { id } = await addInstance(w, 'far', bare, 'elsewhere')
      await rejects(
        () => as('admin').add('g', id),
        invalid(`instance must be in the same project as the ${kind} group`),
      )
      await rejects(() => me().add('g', id), { status: 404, message: `not found: instance with id "${id}"` })
      await rejects(() => me().add('g', 'far'), {
        status: 404,
        message: 'not found: instance with name "far"',
      })
      await rejects(() => as('admin').member('g', id), notMember(id))
    })

    it.each(['stopped', 'failed', 'creating'] as const)('may be %s when it is added', async (runState) => {
      await forceRow(w, 'web', { runState })
      expect(await me().add('g', 'web')).toMatchObject({ value: { runState } })
    })

    it('may not have a sled when it is added', async () => {
      await instancesOf(w).start('web')
      for (const ms of [0, 200]) {
        await w.advance(ms)
        await rejects(
          () => me().add('g', 'web'),
          invalid(`Instance cannot be added to ${kind} group with reservation`),
        )
      }
    })

    it('leaves with 204, in any state', async () => {
      await me().add('g', 'web')
      await instancesOf(w).start('web')
      await w.advance(200)
      const { status } = await w.raw({
        method: 'DELETE',
        url: `${path}/g/members/instance/web?project=demo`,
        who: 'projectCollaborator',
      })
      expect(status).toBe(204)
      expect((await me().members('g')).items).toEqual([])
    })

    it('that it is not is neither shown nor removed', async () => {
      const { id } = await rowOf(w, 'web')
      await rejects(() => me().member('g', 'web'), notMember(id))
      await rejects(() => me().drop('g', 'web'), notMember(id))
    })

    it('ends with its instance', async () => {
      await me().add('g', 'web')
      await instancesOf(w).remove('web')
      expect((await me().members('g')).items).toEqual([])
      expect(await disorder(w)).toEqual([])
    })

    it('added while its group is deleted: neither remains', async () => {
      await Promise.allSettled([me().add('g', 'web'), me().remove('g')])
      expect(await disorder(w)).toEqual([])
    })

    it('added twice at the same time is a member once', async () => {
      const outcomes = await Promise.allSettled([me().add('g', 'web'), me().add('g', 'web')])
      expect(outcomes.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect((await me().members('g')).items).toHaveLength(1)
    })
  })

  describe('limits', () => {
    const capital = kind === 'affinity' ? 'Affinity' : 'Anti-affinity'

    it('a group has at most 32 members', async () => {
      await me().create('g')
      for (let i = 0; i <= 32; i++) await addVm(`m${i}`)
      for (let i = 0; i < 32; i++) await me().add('g', `m${i}`)
      await rejects(
        () => me().add('g', 'm32'),
        invalid(`${capital} group already has maximum allowed members (32)`),
      )
      await me().drop('g', 'm7')
      await me().add('g', 'm32')
    })

    it('an instance is in at most 16 groups of this kind', async () => {
      await addVm('web')
      for (let i = 0; i <= 16; i++) await me().create(`g${i}`)
      for (let i = 0; i < 16; i++) await me().add(`g${i}`, 'web')
      await rejects(
        () => me().add('g16', 'web'),
        invalid(`Instance already belongs to maximum allowed ${kind} groups (16)`),
      )
      const different = families[other](w.as('projectCollaborator'))
      await different.create('x')
      await different.add('x', 'web')
    })
  })

  describe('lists', () => {
    it('members page by the name or id of the instance', async () => {
      await me().create('g')
      for (const name of ['b', 'c', 'a']) {
        await addVm(name)
        await me().add('g', name)
      }
      const names = (page: Awaited<ReturnType<ReturnType<typeof me>['members']>>) =>
        page.items.map((one) => one.value.name)
      const first = await me().members('g', { limit: 2 })
      expect(names(first)).toEqual(['a', 'b'])
      const rest = await me().members('g', { limit: 2, pageToken: first.nextPage ?? '' })
      expect(names(rest)).toEqual(['c'])
      expect(rest.nextPage).toBe(null)
      expect(names(await me().members('g', { sortBy: 'name_descending' }))).toEqual(['c', 'b', 'a'])
      const ids = (await me().members('g', { sortBy: 'id_ascending' })).items.map((one) => one.value.id)
      expect(ids).toEqual(ids.toSorted())
    })

    it('the groups of an instance page by name', async () => {
      await addVm('web')
      for (const name of ['b', 'a', 'unrelated']) await me().create(name)
      for (const name of ['b', 'a']) await me().add(name, 'web')
      const first = await me().ofInstance('web', { limit: 1 })
      expect(namesOf(first)).toEqual(['a'])
      const rest = await me().ofInstance('web', { limit: 1, pageToken: first.nextPage ?? '' })
      expect(rest).toMatchObject({ items: [{ name: 'b' }], nextPage: null })
    })
  })

  describe('permissions', () => {
    beforeEach(async () => {
      await me().create('g')
      await addVm('web')
      await me().add('g', 'web')
    })

    it('read: viewers of the project', async () => {
      const reads: ((f: ReturnType<typeof family>) => Promise<unknown>)[] = [
        (f) => f.members('g'),
        (f) => f.member('g', 'web'),
        (f) => f.ofInstance('web'),
      ]
      for (const read of reads) expect(await answers(w, (c) => read(family(c)))).toEqual(projectRead)
    })

    it('write: collaborators of the project', async () => {
      const dropAs = async (c: Client<Operations>) => {
        await family(c).drop('g', 'web')
        await me().add('g', 'web')
      }
      expect(await answers(w, dropAs)).toEqual(projectWrite)
      await me().drop('g', 'web')
      const addAs = async (c: Client<Operations>) => {
        await family(c).add('g', 'web')
        await me().drop('g', 'web')
      }
      expect(await answers(w, addAs)).toEqual(projectWrite)
    })
  })
})

describe('placement obeys groups made through the API', () => {
  const sledOf = async (name: string) => (await rowOf(w, name)).sledId

  it('mandatory affinity uses one sled, anti-affinity different ones', async () => {
    const together = families.affinity(w.as('projectCollaborator'))
    const apart = families['anti-affinity'](w.as('projectCollaborator'))
    await together.create('pair', 'fail')
    await apart.create('spread', 'fail')
    for (const name of ['a', 'b', 'c']) await addVm(name)
    for (const name of ['a', 'b']) await together.add('pair', name)
    for (const name of ['b', 'c']) await apart.add('spread', name)
    for (const name of ['a', 'b', 'c']) await instancesOf(w).start(name)
    expect(await sledOf('b')).toBe(await sledOf('a'))
    expect(await sledOf('c')).not.toBe(await sledOf('b'))
  })

  it('an anti-affinity group of another project is not found for a new instance', async () => {
    await w.as('admin').projectCreate({ body: { name: 'elsewhere', description: '' } })
    const { id } = await w
      .as('admin')
      .antiAffinityGroupCreate({ query: { project: 'elsewhere' }, body: newGroup('far') })
    await rejects(() => addInstance(w, 'vm', { ...bare, antiAffinityGroups: [id] }), {
      status: 404,
      message: `not found: anti-affinity-group with id "${id}"`,
    })
    expect(await inDb(w, (tx) => tx.selectFrom('affinityMember').selectAll().execute())).toEqual([])
  })
})
