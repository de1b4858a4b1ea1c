import { operations, type OperationName } from '@purlin/contract/operations'
import { snake } from '@purlin/contract/wire'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sessionsOf } from '#/auth/sessions.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import { createGroup, createSilo, createUser, grant } from '#/seed/rows.ts'
import { inDb } from '#/testing/networks/networks.ts'
import fc from '#/testing/properties.ts'
import { disorder } from '#/testing/state.ts'
import { insertChild } from '../kind/rows.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'
import { withoutRequest } from '#/context.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const idOf = (name: string) => w.ids[name] ?? ''
type Ask = Partial<{ operation: string; resource: string; limit: number; pageToken: string }>
const explain = (who: Who, identity: string, ask: Ask = {}) =>
  w.as(who).accessExplain({ query: { identity: idOf(identity), ...ask } })
const whoCan = (who: Who, operation: string, resource: string, page: object = {}) =>
  w.as(who).accessWhoCan({ query: { operation, resource, ...page } })

describe('explaining the permissions of a user', () => {
  it('are the roles, each with where it comes from', async () => {
    const timeExpires = w.clock.now() + 60_000
    const siloId = idOf('acme')
    w.ids['team'] = await inDb(w, async (tx) => {
      const team = await createGroup(w.world, tx, {
        siloId,
        displayName: 'team',
        userIds: [idOf('projectViewer')],
      })
      const ofTeam = { identityType: 'silo_group', identityId: team } as const
      await grant(tx, {
        ...ofTeam,
        resourceType: 'silo',
        resourceId: siloId,
        roleName: 'collaborator',
        timeExpires,
      })
      await tx
        .updateTable('silo')
        .set({ mappedFleetRolesJson: '{"viewer":["viewer"]}' })
        .where('id', '=', siloId)
        .execute()
      return team
    })
    const { items, ...head } = await explain('admin', 'projectViewer')
    expect(head).toEqual({
      identityType: 'silo_user',
      identityId: idOf('projectViewer'),
      displayName: 'projectviewer',
      siloId,
      siloName: 'acme',
      groups: [{ id: idOf('team'), displayName: 'team' }],
      groupsOmitted: 0,
      keys: null,
      isComplete: true,
      nextPage: null,
    })
    const group = { id: idOf('team'), displayName: 'team' }
    const onSilo = { level: 'silo', resourceId: siloId, resourceName: 'acme', roleName: 'collaborator' }
    const throughTeam = { ...onSilo, timeExpires: new Date(timeExpires), group }
    const onProject = { level: 'project', resourceId: idOf('demo'), resourceName: 'demo' }
    expect(items).toEqual([
      {
        level: 'fleet',
        resourceId: fleetId,
        resourceName: null,
        role: 'viewer',
        paths: [{ ...throughTeam, through: 'mapped' }],
      },
      {
        level: 'silo',
        resourceId: siloId,
        resourceName: 'acme',
        role: 'collaborator',
        paths: [{ ...throughTeam, through: 'assigned' }],
      },
      {
        ...onProject,
        role: 'admin',
        paths: expect.arrayContaining([
          { ...onProject, roleName: 'viewer', through: 'assigned' },
          { ...throughTeam, through: 'inherited' },
        ]) as unknown,
      },
    ])
    const ofGroup = await explain('viewer', 'team')
    expect(ofGroup).toMatchObject({ identityType: 'silo_group', displayName: 'team' })
    await w.advance(60_000)
    expect((await explain('admin', 'projectViewer')).items).toEqual([
      { ...onProject, role: 'viewer', paths: [{ ...onProject, roleName: 'viewer', through: 'assigned' }] },
    ])
  })

  it('come in pages', async () => {
    const { id } = await w.as('admin').projectCreate({ body: { name: 'second', description: '' } })
    const both = [idOf('demo'), id].toSorted()
    await inDb(w, (tx) =>
      grant(tx, {
        resourceType: 'project',
        resourceId: id,
        identityType: 'silo_user',
        identityId: idOf('projectViewer'),
        roleName: 'admin',
      }),
    )
    const found: string[] = []
    let pageToken: string | null | undefined
    do {
      const page = await explain('admin', 'projectViewer', { limit: 1, ...(pageToken ? { pageToken } : {}) })
      found.push(...page.items.map((one) => one.resourceId))
      pageToken = page.nextPage
    } while (pageToken)
    expect(found).toEqual(both)
  })

  it('is decided for an operation by what suffices', async () => {
    const ask = { operation: 'instance_start', resource: 'project:demo' }
    const allowed = await explain('admin', 'projectCollaborator', ask)
    expect(allowed).toMatchObject({ allowed: true, items: [{ level: 'project', role: 'collaborator' }] })
    expect(allowed.items[0]?.paths).toHaveLength(1)
    const refused = await explain('admin', 'projectViewer', ask)
    // Roles on the fleet, which the asker may not read, do not reach into projects.
    expect(refused).toMatchObject({ allowed: false, isComplete: true, items: [] })
    const ofSilo = await explain('admin', 'projectViewer', { operation: 'policy_update' })
    expect(ofSilo).toMatchObject({ allowed: false, isComplete: false })
    const byOperator = await explain('fleetAdmin', 'projectViewer', { operation: 'project_list' })
    expect(byOperator).toMatchObject({ allowed: false, isComplete: false })
    const inherited = await explain('admin', 'collaborator', ask)
    expect(inherited.items[0]?.paths[0]).toMatchObject({ level: 'silo', through: 'inherited' })
    const own = await explain('noRole', 'noRole', { operation: 'user_session_list' })
    expect(own).toMatchObject({ allowed: true, withoutRole: 'user_itself' })
  })

  it('is about a resource in a project by its id', async () => {
    const instance = (await w.as('admin').vpcView({ params: { vpc: 'default' }, query: { project: 'demo' } }))
      .id
    const asked = await explain('admin', 'projectAdmin', {
      operation: 'vpc_update',
      resource: `vpc:${instance}`,
    })
    expect(asked).toMatchObject({ allowed: true, items: [{ resourceName: 'demo', role: 'admin' }] })
  })

  it.each([
    ['an unknown operation', { operation: 'fly' }],
    ['an operation on a project without one', { operation: 'disk_list' }],
    ['an operation on a project for a silo', { operation: 'disk_list', resource: 'silo:acme' }],
    ['an unknown type', { resource: 'moon:luna' }],
    ['a name where an id is needed', { resource: 'disk:web' }],
  ])('%s is refused', async (_, ask) => {
    await expect(explain('admin', 'viewer', ask)).rejects.toMatchObject({ status: 400, code: 'InvalidValue' })
  })

  it('is answered to the user, to viewers of the silo and of the fleet, as far as they read policies', async () => {
    for (const who of ['noRole', 'projectAdmin'] as const)
      await expect(explain(who, 'viewer')).rejects.toMatchObject({ status: 403 })
    await expect(explain('stranger', 'viewer')).rejects.toMatchObject({ status: 404 })
    expect(await explain('viewer', 'fleetAdmin')).toMatchObject({ isComplete: false, items: [] })
    expect(await explain('fleetAdmin', 'fleetAdmin')).toMatchObject({
      isComplete: true,
      items: [{ role: 'admin' }],
    })
    // Roles on the fleet do not reach into projects.
    expect(await explain('fleetAdmin', 'projectAdmin')).toMatchObject({ isComplete: false, items: [] })
    await expect(explain('fleetAdmin', 'viewer', { resource: 'project:demo' })).rejects.toMatchObject({
      status: 404,
    })
  })
})

describe('listing the users with a permission', () => {
  const names = async (...ask: Parameters<typeof whoCan>) =>
    (await whoCan(...ask)).items.map((one) => one.displayName).toSorted()

  it('are those with a role that suffices', async () => {
    expect(await names('viewer', 'instance_start', 'project:demo')).toEqual([
      'admin',
      'collaborator',
      'projectadmin',
      'projectcollaborator',
    ])
    expect(await names('admin', 'project_create', 'silo:acme')).toEqual(['admin', 'collaborator'])
    expect(await names('fleetAdmin', 'silo_policy_update', 'silo:other')).toEqual(['fleetadmin', 'stranger'])
    expect(await names('fleetAdmin', 'system_policy_view', 'fleet')).toEqual(['fleetadmin'])
  })

  it('are also those with a role on one project, where any role in the silo suffices', async () => {
    const everyone = [
      'admin',
      'collaborator',
      'projectadmin',
      'projectcollaborator',
      'projectviewer',
      'viewer',
    ]
    expect(await names('viewer', 'project_list', 'silo:acme')).toEqual(everyone)
    const { items } = await whoCan('viewer', 'project_list', 'silo:acme')
    expect(items.find((one) => one.displayName === 'projectviewer')?.paths).toEqual([
      {
        level: 'project',
        resourceId: idOf('demo'),
        resourceName: 'demo',
        roleName: 'viewer',
        through: 'assigned',
      },
    ])
    // A viewer of the fleet does not read the policies of projects.
    expect(await whoCan('fleetAdmin', 'project_list', 'silo:acme')).toMatchObject({ isComplete: false })
    expect(await names('fleetAdmin', 'project_list', 'silo:acme')).toEqual([
      'admin',
      'collaborator',
      'viewer',
    ])
    const ask = { operation: 'project_list' }
    expect(await explain('admin', 'projectViewer', ask)).toMatchObject({
      allowed: true,
      items: [{ level: 'project', resourceName: 'demo', role: 'viewer' }],
    })
    expect(await explain('admin', 'noRole', ask)).toMatchObject({ allowed: false, items: [] })
  })

  it('are all users of the silo where no role is needed', async () => {
    const page = await whoCan('viewer', 'policy_view', 'silo:acme')
    expect(page).toMatchObject({ withoutRole: 'users', isComplete: true })
    expect(page.items).toHaveLength(8)
  })

  it('covers the policies that the caller may read', async () => {
    expect(await whoCan('viewer', 'silo_policy_update', 'silo:acme')).toMatchObject({
      isComplete: false,
      items: [{ displayName: 'admin' }],
    })
    expect(await whoCan('viewer', 'silo_ip_pool_list', 'silo:acme')).toMatchObject({
      isComplete: false,
      items: [],
    })
    await expect(whoCan('viewer', 'system_policy_view', 'fleet')).rejects.toMatchObject({ status: 403 })
    await expect(whoCan('noRole', 'policy_update', 'silo:acme')).rejects.toMatchObject({ status: 403 })
    await expect(whoCan('noRole', 'disk_list', 'project:demo')).rejects.toMatchObject({ status: 404 })
    await expect(whoCan('viewer', 'policy_update', 'silo:other')).rejects.toMatchObject({ status: 404 })
  })

  it('comes in pages', async () => {
    const first = await whoCan('viewer', 'disk_list', 'project:demo', { limit: 4 })
    const second = await whoCan('viewer', 'disk_list', 'project:demo', {
      limit: 4,
      pageToken: first.nextPage,
    })
    expect(second.nextPage).toBeNull()
    const ids = [...first.items, ...second.items].map((one) => one.id)
    expect(new Set(ids).size).toBe(6)
  })
})

describe('the operations in questions', () => {
  it('are all, page by page, each with its levels and permissions', async () => {
    const found: { operation: string; levels: string[]; allow: string[] }[] = []
    let pageToken: string | null | undefined
    do {
      const page = await w
        .as('noRole')
        .accessOperationList({ query: { limit: 100, ...(pageToken ? { pageToken } : {}) } })
      found.push(...page.items)
      pageToken = page.nextPage
    } while (pageToken)
    expect(found.map((one) => one.operation).toSorted()).toEqual(
      Object.keys(operations).map(snake).toSorted(),
    )
    const of = (name: string) => found.find((one) => one.operation === name)
    expect(of('disk_delete')).toMatchObject({
      summary: 'Delete a disk',
      levels: ['project'],
      allow: ['project.collaborator'],
    })
    expect(of('image_list')?.levels).toEqual(['project', 'silo'])
    expect(of('silo_policy_update')?.levels).toEqual(['silo', 'fleet'])
    expect(of('ping')?.levels).toEqual(['silo'])
  })

  it('can be explained at each of their levels', async () => {
    const { items } = await w.as('noRole').accessOperationList({ query: { limit: 1000 } })
    const places = { project: 'project:demo', silo: 'silo:acme', fleet: 'fleet' }
    for (const { operation, levels } of items)
      for (const level of levels)
        if (level === 'fleet') await whoCan('fleetAdmin', operation, places.fleet, { limit: 1 })
        else await whoCan('admin', operation, places[level], { limit: 1 })
  })
})

/** Only the rules of the sheet of authorization. */
interface Someone {
  silo: string
  name: string
  /** `fleet`, a silo or a project, and the rank: 1 viewer, 2 collaborator, 3 admin */
  held: { on: string; rank: number }[]
}
const mapped: Record<string, Record<number, number>> = { north: { 3: 3, 1: 1 }, south: { 2: 2 } }
const siloOfProject: Record<string, string> = { alpha: 'north', beta: 'south' }
const best = (ranks: number[]) => Math.max(0, ...ranks)

function rankOn({ silo, held }: Someone, on: string): number {
  const direct = (place: string) => best(held.filter((one) => one.on === place).map((one) => one.rank))
  if (on === 'fleet') {
    const ofSilo = direct(silo)
    const given = Object.entries(mapped[silo] ?? {}).filter(([rank]) => Number(rank) <= ofSilo)
    return best([direct('fleet'), ...given.map(([, rank]) => rank)])
  }
  if (on in siloOfProject) {
    if (siloOfProject[on] !== silo) return 0
    const inherited = direct(silo)
    // A collaborator of the silo is an admin of its projects.
    return best([direct(on), inherited === 2 ? 3 : inherited])
  }
  return on === silo ? direct(on) : 0
}

const needs: [OperationName, string[], (one: Someone, on: string) => boolean][] = [
  ['diskList', ['alpha', 'beta'], (one, on) => rankOn(one, on) >= 1],
  ['diskCreate', ['alpha', 'beta'], (one, on) => rankOn(one, on) >= 2],
  ['projectDelete', ['alpha', 'beta'], (one, on) => rankOn(one, on) >= 3],
  ['projectCreate', ['north', 'south'], (one, on) => rankOn(one, on) >= 2],
  ['siloPolicyUpdate', ['north', 'south'], (one, on) => rankOn(one, on) >= 3 || rankOn(one, 'fleet') >= 2],
  ['localIdpUserCreate', ['north', 'south'], (one, on) => rankOn(one, on) >= 3 || rankOn(one, 'fleet') >= 3],
  ['systemPolicyView', ['fleet'], (one) => rankOn(one, 'fleet') >= 1],
  ['systemPolicyUpdate', ['fleet'], (one) => rankOn(one, 'fleet') >= 3],
]

describe('a model of the rules', () => {
  const role = (rank: number) => (['viewer', 'collaborator', 'admin'] as const)[rank - 1] ?? 'viewer'
  const places = ['fleet', 'north', 'south', 'alpha', 'beta']
  const assignment = fc.record({
    on: fc.constantFrom(...places),
    rank: fc.integer({ min: 1, max: 3 }),
    to: fc.integer({ min: 0, max: 5 }),
  })

  /** Six identities: two users of each silo, and a group of each, in which its first user is. */
  async function build(assignments: { on: string; rank: number; to: number }[]): Promise<Someone[]> {
    const people: Someone[] = []
    await inDb(w, async (tx) => {
      await tx.deleteFrom('roleAssignment').execute()
      const made: { type: 'silo_user' | 'silo_group'; id: string; silo: string; holders: Someone[] }[] = []
      for (const silo of ['north', 'south']) {
        const mapping = Object.fromEntries(
          Object.entries(mapped[silo] ?? {}).map(([from, to]) => [role(Number(from)), [role(to)]]),
        )
        const siloId = await createSilo(w.world, tx, {
          name: silo,
          description: '',
          mappedFleetRoles: mapping,
        })
        w.ids[silo] = siloId
        const ids: string[] = []
        for (const name of [`${silo}-one`, `${silo}-two`]) {
          const id = await createUser(w.world, tx, { siloId, name, passwordHash: null })
          w.ids[name] = id
          ids.push(id)
          const someone = { silo, name, held: [] }
          people.push(someone)
          made.push({ type: 'silo_user', id, silo, holders: [someone] })
        }
        const [first = ''] = ids
        const group = await createGroup(w.world, tx, {
          siloId,
          displayName: `${silo}-group`,
          userIds: [first],
        })
        made.push({
          type: 'silo_group',
          id: group,
          silo,
          holders: people.filter((one) => one.name === `${silo}-one`),
        })
      }
      for (const [name, silo] of Object.entries(siloOfProject)) {
        w.ids[name] = w.world.ids.uuid()
        const times = { timeCreated: 0, timeModified: 0 }
        const project = {
          id: idOf(name),
          name,
          description: '',
          ...times,
          siloId: idOf(silo),
          rcgen: 0,
          isProtected: null,
          tagsJson: null,
        }
        await insertChild({ ...withoutRequest(tx), world: w.world }, 'project', project)
        await tx.insertInto('usage').values({ id: project.id, cpus: 0, memory: 0, storage: 0 }).execute()
      }
      const seen = new Set<string>()
      for (const { on, rank, to } of assignments) {
        const identity = made[to]
        if (!identity || seen.has(`${on} ${rank} ${to}`)) continue
        seen.add(`${on} ${rank} ${to}`)
        const resourceType = on === 'fleet' ? 'fleet' : on in siloOfProject ? 'project' : 'silo'
        // A policy names only those of its silo.
        if (resourceType !== 'fleet' && (siloOfProject[on] ?? on) !== identity.silo) continue
        await grant(tx, {
          resourceType,
          resourceId: on === 'fleet' ? fleetId : idOf(on),
          identityType: identity.type,
          identityId: identity.id,
          roleName: role(rank),
        })
        for (const holder of identity.holders) holder.held.push({ on, rank })
      }
    })
    return people
  }

  it('decides as the control plane explains, for generated policies', async () => {
    const property = fc.asyncProperty(fc.array(assignment, { maxLength: 12 }), async (assignments) => {
      await w.close()
      w = await openWorld()
      const people = await build(assignments)
      // An observer with every role may ask about everything.
      const asker = await observer()
      for (const [name, places_, may] of needs)
        for (const on of places_) {
          const resource =
            on === 'fleet' ? 'fleet' : `${on in siloOfProject ? 'project' : 'silo'}:${idOf(on)}`
          const operation = snake(name)
          const expected = people.filter((one) => may(one, on)).map((one) => one.name)
          const silo = on === 'fleet' ? 'north' : (siloOfProject[on] ?? on)
          const found = await asker(silo, `/v1/access/who-can?operation=${operation}&resource=${resource}`)
          const listed = (found['items'] as { display_name: string }[])
            .map((one) => one.display_name)
            .filter((one) => !one.includes('observer'))
          expect(listed.toSorted(), `${operation} on ${on}`).toEqual(expected.toSorted())
          for (const one of people.filter((each) => each.silo === silo)) {
            const query = `identity=${idOf(one.name)}&operation=${operation}&resource=${resource}`
            const answer = await asker(silo, `/v1/access/explain?${query}`)
            expect(answer['allowed'], `${one.name} ${operation} on ${on}`).toBe(expected.includes(one.name))
            const roles = answer['items'] as { paths: unknown[] }[]
            expect(roles.some(({ paths }) => paths.length > 0)).toBe(expected.includes(one.name))
          }
        }
    })
    await fc.assert(property, { numRuns: 40 })
    expect(Object.keys(operations)).toEqual(expect.arrayContaining(needs.map(([name]) => name)))
  })

  /** A viewer of the fleet and of each silo: one user of each. */
  async function observer() {
    const cookies = new Map<string, string>()
    await inDb(w, async (tx) => {
      for (const silo of ['north', 'south']) {
        const siloId = idOf(silo)
        const id = await createUser(w.world, tx, { siloId, name: `observer-${silo}`, passwordHash: null })
        const own = { identityType: 'silo_user', identityId: id, roleName: 'viewer' } as const
        await grant(tx, { ...own, resourceType: 'silo', resourceId: siloId })
        await grant(tx, { ...own, resourceType: 'fleet', resourceId: fleetId })
        cookies.set(silo, `session=${await sessionsOf(w.world).start(tx, id)}`)
      }
    })
    return async (silo: string, url: string) => {
      const { status, json, text } = await w.raw({ url, headers: { cookie: cookies.get(silo) ?? '' } })
      expect(status, `${url} ${text}`).toBe(200)
      return json as Record<string, unknown>
    }
  }
})
