import { afterEach, beforeEach, expect, it } from 'vitest'
import { limits } from '@purlin/contract/rules/limits'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
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

const url = '/v1/me/list-views?kind=instance'
const query = { kind: 'instance' as const }
const view = (name: string) => ({ name, search: 'filter=state:failed', hiddenColumns: ['memory'] })
const save = (views: ReturnType<typeof view>[], headers: Record<string, string> = {}) => {
  const sent = views.map(({ hiddenColumns, ...rest }) => ({ ...rest, hidden_columns: hiddenColumns }))
  return w.raw({ method: 'PUT', url, who: 'viewer', headers, body: JSON.stringify({ views: sent }) })
}
const seen = async (who: Who = 'viewer') => (await w.as(who).currentUserListViewsView({ query })).views

it('are stored as saved, separately for each user and kind', async () => {
  expect(await seen()).toEqual([])
  const views = [view('failed'), view('Zwei Wörter')]
  expect(await w.as('viewer').currentUserListViewsUpdate({ query, body: { views } })).toEqual({ views })
  expect(await seen()).toEqual(views)
  expect(await seen('admin')).toEqual([])
  const others = await w.as('viewer').currentUserListViewsView({ query: { kind: 'disk' } })
  expect(others.views).toEqual([])
  await save([])
  expect(await seen()).toEqual([])
})

it('of all lists come in one answer, including those of tokens, of the audit log and of tasks', async () => {
  const all = async (who: Who) => (await w.as(who).currentUserListViewsOfAllKinds()).kinds
  expect(await all('viewer')).toEqual([])
  const put = (
    kind: 'instance' | 'disk' | 'audit-log-entry' | 'device-access-token' | 'task',
    name: string,
  ) => w.as('viewer').currentUserListViewsUpdate({ query: { kind }, body: { views: [view(name)] } })
  for (const kind of ['task', 'instance', 'device-access-token', 'audit-log-entry'] as const)
    await put(kind, kind)
  expect(await all('viewer')).toEqual(
    ['audit-log-entry', 'device-access-token', 'instance', 'task'].map((kind) => ({
      kind,
      views: [view(kind)],
    })),
  )
  expect(await all('admin')).toEqual([])
})

it('do not overwrite views that were saved elsewhere since', async () => {
  const { headers } = await w.raw({ url, who: 'viewer' })
  const etag = headers['etag'] ?? ''
  await save([view('one')])
  expect((await save([view('two')], { 'if-match': etag })).status).toBe(412)
  expect(await seen()).toEqual([view('one')])
})

it.each([
  ['two of one name', [view('one'), view(' one')], /views\[1\]\.name.*another view/],
  ['one without a name', [view(' ')], /views\[0\]\.name.*needs a name/],
  ['a name that is too long', [view('x'.repeat(limits.listViews.name + 1))], /name/],
  ['too many', Array.from({ length: limits.listViews.count + 1 }, (_, i) => view(`v${i}`)), /views/],
])('are refused: %s', async (_, views, message) => {
  const { status, json } = await save(views)
  expect(status).toBe(400)
  expect(json.message).toMatch(message)
  expect(await seen()).toEqual([])
})

it('of a kind that there is not are refused', async () => {
  expect((await w.raw({ url: '/v1/me/list-views?kind=castle', who: 'viewer' })).status).toBe(400)
})

it('go with their person', async () => {
  await save([view('one')])
  const id = w.ids['viewer'] ?? ''
  await w.as('fleetAdmin').localIdpUserDelete({ params: { userId: id }, query: { silo: 'acme' } })
  expect(await inDb(w, (tx) => tx.selectFrom('listView').selectAll().execute())).toEqual([])
})
