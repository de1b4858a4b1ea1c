import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiRequest } from '@purlin/contract/http'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
})
afterAll(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const uncached = { 'cache-control': 'no-cache' }
const disks = '/v1/disks?project=demo&sort_by=size_ascending'

it('a user with many reads does not keep back another one', async () => {
  const done: Who[] = []
  const read = async (who: Who) => {
    expect((await w.raw({ url: disks, who, headers: uncached })).status).toBe(200)
    done.push(who)
  }
  // Their sessions are known from here on.
  for (const who of ['viewer', 'projectViewer'] as const) await read(who)
  const many = Array.from({ length: 40 }, () => read('projectViewer'))
  await Promise.all([...many, read('viewer')])
  expect(done.lastIndexOf('viewer')).toBeLessThan(25)
})

it.each<Pick<ApiRequest, 'method' | 'url' | 'body'>>([
  { method: 'GET', url: disks },
  {
    method: 'POST',
    url: '/v1/tasks/preview',
    body: JSON.stringify({ kind: 'disk', action: 'delete', query: '/v1/disks?project=demo' }),
  },
])('a read does not begin once its client has gone: $method $url', async (asked) => {
  const headers = { ...uncached, cookie: w.cookieOf('viewer') }
  const signal = { aborted: false }
  const requests: ApiRequest[] = Array.from({ length: 40 }, () => ({ ...asked, headers, signal }))
  const all = requests.map((one) => w.plane.dispatch(one))
  await Promise.race(all)
  signal.aborted = true
  const statuses = (await Promise.all(all)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 408).length).toBeGreaterThan(20)
})

it('a preview of a task reads nothing more once its client has gone', async () => {
  const { engine } = w.world
  const transaction = engine.transaction.bind(engine)
  const signal = { aborted: false }
  let reads = 0
  engine.transaction = (mode, ...rest) => {
    if (mode === 'read') signal.aborted = ++reads === 1
    return transaction(mode, ...rest)
  }
  const body = JSON.stringify({ kind: 'disk', action: 'delete', query: '/v1/disks?project=demo' })
  const headers = { cookie: w.cookieOf('viewer') }
  const { status } = await w.plane.dispatch({
    method: 'POST',
    url: '/v1/tasks/preview',
    headers,
    body,
    signal,
  })
  engine.transaction = transaction
  expect([status, reads]).toEqual([408, 1])
})
