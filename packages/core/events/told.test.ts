/** Whatever an operation changes, whoever watches an address that answers something else afterwards is told of it. */
import { isRecorded, type OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { limits } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEvents, type EventReader } from '#/testing/event-reader.ts'
import { createFixtures, plausible } from '#/testing/requests.ts'
import { createCallers, roleNames } from '#/testing/role-callers.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let callers: Map<string, Record<string, string>>
/** The addresses that each watcher may read, and its streams. */
const watchers = new Map<string, { readable: string[]; streams: EventReader[] }>()

const names = Object.keys(operations) as OperationName[]
const shapeOf = (name: OperationName): OpShape => operations[name]
const reading = names.filter((name) => shapeOf(name).method === 'GET' && shapeOf(name).ok === 200)
/** What takes things, rights and sessions away comes last, so that there is something to change until then. */
const orderOf = (name: OperationName) => {
  if (name === 'projectDelete' || name === 'siloDelete') return 2
  if (name.endsWith('olicyUpdate')) return 3
  return name === 'logout' ? 4 : Number(shapeOf(name).method === 'DELETE')
}
const changing = names
  .filter((name) => isRecorded(shapeOf(name)) && shapeOf(name).ok !== 'upgrade')
  .toSorted((a, b) => orderOf(a) - orderOf(b))
const watching =
  process.env['PURLIN_TEST_ENGINE'] === undefined
    ? ['S-admin', 'F-admin', 'P-viewer', 'no role']
    : ['S-admin', 'F-admin']

beforeAll(async () => {
  w = await openWorld()
  await createFixtures(w)
  callers = await createCallers(w, 'home')
  await w.settle()
  for (const who of watching) watchers.set(who, await startWatching(who))
})
afterAll(async () => {
  for (const { streams } of watchers.values()) for (const one of streams) await one.close()
  await w.close()
})

const readOf = (who: string) => async (url: string) =>
  w.raw({ url, headers: { ...callers.get(who), 'cache-control': 'no-cache' } })

/** Watches all that can be watched and that the caller may read. */
async function startWatching(who: string): Promise<{ readable: string[]; streams: EventReader[] }> {
  const readable: string[] = []
  for (const name of reading) {
    const { url } = plausible(w, name, 'id')
    if (shapeOf(name).streams) continue
    const one = await openAs(who, [url])
    await one.close()
    const { status } = await readOf(who)(url)
    expect([url, one.status]).toEqual([url, status])
    if (status === 200) readable.push(url)
  }
  const streams: EventReader[] = []
  for (let i = 0; i < readable.length; i += limits.events.scopes)
    streams.push(await openAs(who, readable.slice(i, i + limits.events.scopes)))
  return { readable, streams }
}
const openAs = (who: string, scopes: readonly string[]) =>
  openEvents(w, { who: 'admin', scopes, cookie: callers.get(who)?.['cookie'] ?? '' })

const answersOf = async (who: string): Promise<Map<string, string>> => {
  const read = readOf(who)
  const all = watchers.get(who)?.readable ?? []
  const answers = await Promise.all(
    all.map(async (url) => {
      const { status, text } = await read(url)
      return [url, status === 200 ? text : String(status)] as const
    }),
  )
  return new Map(answers)
}

/** Sends the request as the strongest caller who succeeds. */
async function succeed(name: OperationName): Promise<boolean> {
  for (const role of roleNames.toReversed())
    for (const by of ['id', 'name'] as const) {
      const { status } = await w.raw({ ...plausible(w, name, by), headers: { ...callers.get(role) } })
      if (status < 400) return true
    }
  return false
}

const before = new Map<string, Map<string, string>>()
let done = 0

describe('who watches is told of what is changed by', () => {
  it.each(changing)('%s', async (name) => {
    for (const who of watching) before.set(who, before.get(who) ?? (await answersOf(who)))
    for (const { streams } of watchers.values()) for (const one of streams) await one.told()
    if (await succeed(name)) done++
    await w.settle()
    await w.advance(1000)
    await w.advance(1000)
    for (const who of watching) {
      const told = new Set<string>()
      for (const one of watchers.get(who)?.streams ?? []) for (const url of await one.changed()) told.add(url)
      const after = await answersOf(who)
      // Without a session there is nothing to be told.
      const hasSession = (await readOf(who)('/v1/me')).status === 200
      expect(watchers.get(who)?.streams.map((one) => one.isEnded())).not.toContain(hasSession)
      if (!hasSession) continue
      const changed = [...after]
        .filter(([url, text]) => before.get(who)?.get(url) !== text)
        .map(([url]) => url)
      expect(
        changed.filter((url) => !told.has(url)),
        `${who} is not told`,
      ).toEqual([])
      before.set(who, after)
    }
  })
})

it('most of them have been done, and all kinds of callers could watch something', () => {
  // The others need something that an operation before them has taken away.
  expect(done).toBeGreaterThan(changing.length / 2)
  const watched = watching.map((who) => watchers.get(who)?.readable ?? [])
  expect(watched.every((readable) => readable.length > 3)).toBe(true)
  expect(new Set(watched.flat()).size).toBeGreaterThan(reading.length * 0.8)
})
