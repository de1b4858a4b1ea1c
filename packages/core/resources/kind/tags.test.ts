import { kindNames, kindOf } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keptActs, makeKept, makeTagged, tagActs, type TagActs } from '#/testing/kinds/kept.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
const query = { project: 'demo' }
const me = () => w.as('projectCollaborator')
const acts = { ...keptActs(() => w), ...tagActs(() => w) }

beforeAll(async () => {
  w = await openWorld({ rack: { sleds: 1 } })
  await makeKept(w)
  await makeTagged(w)
})
afterAll(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const tagged = Object.entries<TagActs>(acts)
const stored = (resourceId: string) =>
  inDb(w, (tx) =>
    tx.selectFrom('tag').select(['key', 'value']).where('resourceId', '=', resourceId).execute(),
  )

it('these kinds have tags, and no other', () => {
  const kinds = kindNames.filter((kind) => kindOf(kind).isTagged)
  expect(kinds.toSorted()).toEqual(Object.keys(acts).toSorted())
})

describe.each(tagged)('the tags of a %s', (_, { create, change, set, view, list }) => {
  const named = async (...filter: string[]) => (await list(filter)).items.map(({ name }) => name)

  it('are given at its creation, and answers of one without any have no such field', async () => {
    expect(await view()).not.toHaveProperty('tags')
    const tags = { team: 'käse = brot, "x"', env: 'prod' }
    const made = await create('tagged', { tags })
    expect(made.tags).toEqual(tags)
    expect((await list([])).items.find(({ id }) => id === made.id)?.tags).toEqual(tags)
    expect(await stored(made.id)).toHaveLength(2)
    expect(await named('tag:env=prod')).toEqual(['tagged'])
    expect(await named(`tag:team=${tags.team}`, 'tag:env')).toEqual(['tagged'])
    expect(await named('tag:env=test')).toEqual([])
    expect(await named('-tag:env')).not.toContain('tagged')
    expect(await named('-tag:env=test', 'tag:team')).toEqual(['tagged'])
  })

  it('are set and removed for lists as well', async () => {
    const { id, name } = await view()
    await change({ set: { only: 'here' } })
    expect(await named('tag:only=here')).toEqual([name])
    expect(await stored(id)).toEqual([{ key: 'only', value: 'here' }])
    await change({ remove: ['only'] })
    expect(await named('tag:only')).toEqual([])
    expect(await stored(id)).toEqual([])
  })

  if (!set) return
  it('are replaced by an update that has some, and kept by others', async () => {
    const { id, name } = await view()
    await set({ tags: { env: 'test', empty: '' } })
    expect(await named('tag:env=test', 'tag:env=other')).toEqual([name])
    expect(await named('tag:empty=')).toEqual([name])
    expect((await named('tag:env')).toSorted()).toEqual([name, 'tagged'].toSorted())
    await set({ description: 'changed' })
    await set({ tags: null })
    expect(await view()).toMatchObject({ tags: { env: 'test', empty: '' } })
    await set({ tags: { env: 'prod' } })
    expect(await named('tag:empty')).toEqual([])
    expect(await named('tag:env=prod', 'tag:env=test')).toHaveLength(2)
    await set({ tags: {} })
    expect(await view()).not.toHaveProperty('tags')
    expect(await stored(id)).toEqual([])
    expect(await named('tag:env')).toEqual(['tagged'])
  })
})

const setDisk = (tags: Record<string, string>) =>
  w.raw({
    method: 'PUT',
    url: '/v1/disks/disk?project=demo',
    who: 'projectCollaborator',
    body: JSON.stringify({ tags }),
  })
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, 'v'.repeat(limits.tags.value)]))

describe('limits', () => {
  it.each([
    ['50 tags of the longest values', many(50)],
    ['the longest key', { ['k'.repeat(64)]: '' }],
    ['names of properties of objects', { constructor: 'a', toString: 'b' }],
    ['a key of another system', { 'example.org/env:1': 'a=b' }],
  ])('take %s', async (_, tags) => {
    expect(await setDisk(tags)).toMatchObject({ status: 200, json: { tags } })
    for (const [key, value] of Object.entries(tags).slice(0, 2))
      expect((await acts.disk.list([`tag:${key}=${value}`])).items).toHaveLength(1)
  })

  it.each([
    ['51 tags', many(51), 'tags: invalid length 51, expected a map of at most 50 tags'],
    ['a long key', { ['k'.repeat(65)]: '' }, 'a key may have at most 64 characters'],
    ['an empty key', { '': 'x' }, 'a key must not be empty'],
    ['a key with a space', { 'a b': 'x' }, '`a b`: a key begins with a letter or digit'],
    ['a key that begins with a sign', { '-a': 'x' }, 'a key begins with a letter or digit'],
    ['a long value', { a: 'v'.repeat(129) }, 'may contain at most 128 characters'],
    ['a value of two lines', { a: 'x\ny' }, '`a`: a value has no line breaks'],
    ['a value with a space at its end', { a: 'x ' }, 'no spaces at its ends'],
  ])('refuse %s', async (_, tags, message) => {
    const { status, json } = await setDisk(tags)
    expect(status).toBe(400)
    expect((json as { message: string }).message).toContain(message)
  })

  it('refuse `__proto__` as a key', async () => {
    const body = '{"tags":{"__proto__":"x"}}'
    const request = { method: 'PUT', url: '/v1/disks/disk?project=demo', who: 'projectCollaborator' } as const
    expect(await w.raw({ ...request, body })).toMatchObject({ status: 400 })
  })

  it.each(['tag:', 'tag:=x', 'tags:a', 'tag>a'])('refuse the filter %s', async (filter) => {
    const url = `/v1/disks?project=demo&filter=${encodeURIComponent(filter)}`
    expect(await w.raw({ url, who: 'projectViewer' })).toMatchObject({ status: 400 })
  })
})

it('a key that is given twice is refused', async () => {
  const body = '{"tags":{"a":"1","a":"2"}}'
  const request = { method: 'PUT', url: '/v1/disks/disk?project=demo', who: 'projectCollaborator' } as const
  expect(await w.raw({ ...request, body })).toMatchObject({
    status: 400,
    json: { message: expect.stringContaining('duplicate field `a`') as string },
  })
})

describe('lists by tags', () => {
  beforeAll(async () => {
    for (let i = 0; i < 12; i++)
      await acts.floatingIp.create(
        `page-${String(i).padStart(2, '0')}`,
        i % 3 === 0 ? { tags: { third: `${i}` } } : {},
      )
  })

  it.each(['name_descending', 'time_created_ascending', 'id_ascending'])(
    'page in order: %s',
    async (sortBy) => {
      const all: string[] = []
      let pageToken: string | undefined
      for (let pages = 0; pages < 4; pages++) {
        const page = await me().floatingIpList({
          query: { ...query, filter: ['tag:third'], limit: 2, sortBy, ...(pageToken ? { pageToken } : {}) },
        })
        all.push(...page.items.map(({ name }) => name))
        pageToken = page.nextPage ?? undefined
        if (!pageToken) break
      }
      const expected = ['page-00', 'page-03', 'page-06', 'page-09']
      if (sortBy !== 'name_descending') expect(all.toSorted()).toEqual(expected)
      else expect(all).toEqual(expected.toReversed())
    },
  )

  it('count what they show, with words too, and for each value of another column', async () => {
    const count = async (more: object) => {
      const { totalItems, totals } = await me().floatingIpList({ query: { ...query, total: true, ...more } })
      return [totalItems, totals?.['attached']]
    }
    expect(await count({ filter: ['tag:third'] })).toEqual([4, { false: 4 }])
    expect(await count({ filter: ['tag:third=3', 'tag:third=6'] })).toEqual([2, { false: 2 }])
    expect(await count({ filter: ['tag:third', 'attached:true'] })).toEqual([0, { false: 4 }])
    expect(await count({ filter: ['tag:third'], find: 'page 09' })).toEqual([1, { false: 1 }])
  })

  it('find by the words of tags, as the search does', async () => {
    await me().floatingIpUpdate({
      params: { floatingIp: 'page-01' },
      query,
      body: { tags: { owner: 'zoë-lind' } },
    })
    for (const find of ['zoe', 'owner=zoë-lind', 'owner lind']) {
      const { items } = await me().floatingIpList({ query: { ...query, find } })
      expect(items.map(({ name }) => name)).toEqual(['page-01'])
    }
    const { items } = await me().search({ query: { q: 'zoe-lind' } })
    expect(items).toMatchObject([{ name: 'page-01', field: 'tags', text: 'owner=zoë-lind' }])
  })

  it('name the items of a task', async () => {
    const preview = await me().taskPreview({
      body: {
        kind: 'floating-ip',
        action: 'delete',
        query: '/v1/floating-ips?project=demo&filter=tag:third',
      },
    })
    expect(preview).toMatchObject({ totalItems: 4 })
  })

  it('of all projects show those of the projects that one may see', async () => {
    await acts.instance.set({ tags: { fleet: 'a' } })
    const found = async (who: 'projectViewer' | 'viewer') =>
      (await w.as(who).instanceListOfSilo({ query: { filter: ['tag:fleet=a'], total: true } })).items.length
    expect(await found('projectViewer')).toBe(1)
    expect(await found('viewer')).toBe(1)
  })
})

it('a viewer cannot change tags', async () => {
  const attempt = w.as('viewer').diskUpdate({ params: { disk: 'disk' }, query, body: { tags: {} } })
  await expect(attempt).rejects.toMatchObject({ status: 403 })
})

it('a promoted image takes its tags with it', async () => {
  await acts.image.create('moving', { tags: { moved: 'yes' } })
  await w.as('collaborator').imagePromote({ params: { image: 'moving' }, query })
  const found = async (scope: object) =>
    (await w.as('collaborator').imageList({ query: { ...scope, filter: ['tag:moved'] } })).items.length
  expect([await found(query), await found({})]).toEqual([0, 1])
})

it('of updates at once, one has all of its tags and no other', async () => {
  const sets = [{ a: '1', b: '1' }, { b: '2', c: '2' }, { d: '3' }]
  await Promise.all(sets.map((tags) => acts.disk.set({ tags })))
  const { id, tags } = await acts.disk.view()
  expect(sets).toContainEqual(tags)
  expect(Object.fromEntries((await stored(id)).map(({ key, value }) => [key, value]))).toEqual(tags)
})

it('tags are deleted with their resource', async () => {
  const { id } = await acts.floatingIp.create('short', { tags: { a: 'b' } })
  await me().floatingIpDelete({ params: { floatingIp: 'short' }, query })
  expect(await stored(id)).toEqual([])
})

it('tags of what is in a VPC are deleted with the VPC', async () => {
  const inVpc = { ...query, vpc: 'network' }
  const parts = [acts.vpcSubnet, acts.vpcRouter, acts.internetGateway]
  const ids: string[] = []
  for (const { create } of parts) ids.push((await create('inside', { tags: { a: 'b' } })).id)
  for (const id of ids) expect(await stored(id)).toHaveLength(1)
  for (const { name } of (await me().vpcSubnetList({ query: inVpc })).items)
    if (name !== 'inside') await me().vpcSubnetDelete({ params: { subnet: name }, query: inVpc })
  await me().vpcDelete({ params: { vpc: 'network' }, query: { ...query, cascade: true } })
  for (const id of ids) expect(await stored(id)).toEqual([])
})
