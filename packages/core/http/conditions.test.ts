import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addInstance } from '#/testing/networks/networks.ts'
import { dump } from '#/testing/state.ts'
import { openWorld, type RawRequest, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
  await addInstance(w, 'vm')
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const url = '/v1/instances/vm?project=demo'
const read = async (more: Partial<RawRequest> = {}) => {
  const { status, headers } = await w.raw({ url, who: 'collaborator', ...more })
  expect(status).toBe(200)
  return headers['etag'] ?? ''
}
const resize = (ncpus: number, ifMatch?: string, more: Partial<RawRequest> = {}) =>
  w.raw({
    method: 'PUT',
    url,
    who: 'collaborator',
    body: JSON.stringify({
      ncpus,
      memory: 2 ** 30,
      boot_disk: null,
      auto_restart_policy: null,
      cpu_platform: null,
    }),
    ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
    ...more,
  })
const remove = (ifMatch: string) =>
  w.raw({ method: 'DELETE', url, who: 'collaborator', headers: { 'if-match': ifMatch } })
const cpus = async () =>
  (await w.as('collaborator').instanceView({ params: { instance: 'vm' }, query: { project: 'demo' } })).ncpus

describe('the tag', () => {
  it('is strong, is stable without changes, and is the same for every user and by id', async () => {
    const tag = await read()
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(await read()).toBe(tag)
    expect(await read({ who: 'admin' })).toBe(tag)
    const { id } = await w
      .as('viewer')
      .instanceView({ params: { instance: 'vm' }, query: { project: 'demo' } })
    expect(await read({ url: `/v1/instances/${id}` })).toBe(tag)
  })

  it('changes with every write, and differs between resources', async () => {
    const tags = [await read()]
    expect((await resize(2)).status).toBe(200)
    tags.push(await read())
    await addInstance(w, 'other')
    tags.push(await read({ url: '/v1/instances/other?project=demo' }))
    expect(new Set(tags).size).toBe(3)
  })

  it('exists exactly for resources that can be replaced or deleted', async () => {
    const tagOf = async (of: string) => (await w.raw({ url: of, who: 'admin' })).headers['etag']
    expect(await tagOf('/v1/projects/demo/policy')).toBeDefined()
    for (const of of ['/v1/me', '/v1/instances?project=demo', '/v1/utilization'])
      expect(await tagOf(of)).toBeUndefined()
  })
})

describe('a conditional write', () => {
  it('succeeds when nothing has changed, and once', async () => {
    const tag = await read()
    expect((await resize(2, tag)).status).toBe(200)
    expect(await cpus()).toBe(2)
    const before = await dump(w)
    const { status, json } = await resize(3, tag)
    expect(status).toBe(412)
    expect(json).toMatchObject({
      error_code: 'PreconditionFailed',
      message: 'the resource has changed since it was read',
    })
    expect(await dump(w)).toEqual(before)
  })

  it.each([
    ['a star', () => '*', 200],
    ['one of several', (tag: string) => `"other", ${tag}`, 200],
    ['a weak tag', (tag: string) => `W/${tag}`, 412],
    ['another tag', () => '"other"', 412],
    ['no tag at all', () => 'nonsense', 412],
    ['nothing', () => '', 412],
  ])('%s is answered as it should', async (_, ifMatch, status) => {
    expect((await resize(2, ifMatch(await read()))).status).toBe(status)
    expect(await cpus()).toBe(status === 200 ? 2 : 1)
  })

  it('deletes a resource only in the state that was read', async () => {
    const tag = await read()
    await resize(2)
    expect((await remove(tag)).status).toBe(412)
    expect((await remove(await read())).status).toBe(204)
    expect((await remove('*')).status).toBe(404)
  })

  it('also needs the permission of the write', async () => {
    expect((await resize(2, await read(), { who: 'viewer' })).status).toBe(403)
    expect((await resize(2, '*', { who: 'stranger' })).status).toBe(404)
    expect(await cpus()).toBe(1)
  })

  it('of two that read the same, one is done', async () => {
    const tag = await read()
    const all = await Promise.all([2, 3, 4].map((n) => resize(n, tag)))
    expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412])
  })

  it('does not concern a read or an action', async () => {
    const headers = { 'if-match': '"other"' }
    expect((await w.raw({ url, who: 'viewer', headers })).status).toBe(200)
    const start = '/v1/instances/vm/start?project=demo'
    expect((await w.raw({ method: 'POST', url: start, who: 'collaborator', headers })).status).toBe(202)
  })
})
