/** Each operation that changes the answer of an address notifies the streams that watch the address. */
import { isRecorded, type OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { limits } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batches } from '#/db/batches.ts'
import { openEvents, type EventReader } from '#/testing/event-reader.ts'
import { createFixtures, plausible } from '#/testing/requests.ts'
import { createCallers, roleNames } from '#/testing/access/role-callers.ts'
import { sampleOnOtherEngines } from '#/testing/samples.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let callers: Map<string, Record<string, string>>
interface Watcher {
  /** The addresses that it may read. */
  readable: string[]
  streams: EventReader[]
  /** Their answers when the last case had ended. */
  answers: Map<string, string>
}
const watchers = new Map<string, Watcher>()

const names = Object.keys(operations) as OperationName[]
const shapeOf = (name: OperationName): OpShape => operations[name]
/** States that are read from switches, and use up to now: they change without a write, so clients ask again. */
const live =
  /^networkingB(gp(Status|Exported|ImportedRoutesIpv4|MessageHistory)|fdStatus)$|LldpNeighbors$|sageReport$/
const reading = names.filter(
  (name) =>
    shapeOf(name).method === 'GET' &&
    shapeOf(name).ok === 200 &&
    !live.test(name) &&
    // Their clients are no users, who watch.
    shapeOf(name).allow !== 'scim',
)
/** Operations that delete resources, roles and sessions come last, so that the others find something to change. */
const orderOf = (name: OperationName) => {
  if (name === 'projectDelete' || name === 'siloDelete') return 2
  if (name.endsWith('olicyUpdate')) return 3
  // Signing in ends the session that the request is sent with.
  if (name === 'logout' || shapeOf(name).signsIn) return 4
  return Number(shapeOf(name).method === 'DELETE')
}
const changing = sampleOnOtherEngines(
  names
    .filter((name) => isRecorded(shapeOf(name)) && shapeOf(name).ok !== 'upgrade')
    .toSorted((a, b) => orderOf(a) - orderOf(b)),
)
const watching =
  process.env['PURLIN_TEST_ENGINE'] === undefined
    ? ['S-admin', 'F-admin', 'P-viewer', 'no role']
    : ['S-admin', 'F-admin']

beforeAll(async () => {
  w = await openWorld()
  await createFixtures(w)
  callers = await createCallers(w, 'home')
  await w.settle()
  for (const who of watching) {
    const { readable, streams } = await startWatching(who)
    watchers.set(who, { readable, streams, answers: await answersOf(who, readable) })
  }
})
afterAll(async () => {
  for (const { streams } of watchers.values()) for (const one of streams) await one.close()
  await w.close()
})

const readOf = (who: string) => async (url: string) => w.raw({ url, headers: { ...callers.get(who) } })

/** Watches every address that the caller may read. */
async function startWatching(who: string): Promise<Pick<Watcher, 'readable' | 'streams'>> {
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

// More at a time would wait for each other's connection to the database.
const readsAtOnce = 20

async function answersOf(who: string, urls: readonly string[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const some of batches(urls, readsAtOnce))
    await Promise.all(
      some.map(async (url) => {
        const { status, text } = await readOf(who)(url)
        answers.set(url, status === 200 ? text : String(status))
      }),
    )
  return answers
}

/** The addresses of which the streams of a watcher have been notified since the last call. */
async function notified({ streams }: Watcher): Promise<Set<string>> {
  const urls = new Set<string>()
  for (const one of streams) for (const url of await one.changed()) urls.add(url)
  return urls
}

/** Drops earlier events. A change that came after the last case had ended belongs to the answers before this case. */
async function catchUp(who: string, watcher: Watcher): Promise<void> {
  const late = await answersOf(who, [...(await notified(watcher))])
  for (const [url, text] of late) watcher.answers.set(url, text)
}

/** Streams are notified by rounds, and the clock says when one begins. */
const goOn = () => w.advance(100)
// Long enough for a busy machine: only a lost event takes this long.
const timeout = 20_000

/** Fails unless the streams of a watcher are notified of each address whose answer has changed. */
async function expectNotified(who: string, watcher: Watcher): Promise<void> {
  const after = await answersOf(who, watcher.readable)
  const before = watcher.answers
  // The next case begins with these answers, even if this one fails.
  watcher.answers = after
  // A stream ends with its session, and then sends nothing.
  if ((await readOf(who)('/v1/me')).status !== 200) {
    const areEnded = () => watcher.streams.every((one) => one.isEnded())
    await expect.poll(() => goOn().then(areEnded), { timeout }).toBe(true)
    return
  }
  expect(watcher.streams.map((one) => one.isEnded())).not.toContain(true)
  const missing = new Set([...after].filter(([url, text]) => before.get(url) !== text).map(([url]) => url))
  const take = async () => {
    for (const url of await notified(watcher)) missing.delete(url)
    return [...missing]
  }
  // Some reads compute after their transaction: that the database is idle does not mean that they have ended.
  await expect
    .poll(() => goOn().then(take), { timeout, message: `${who} is notified of all but these` })
    .toEqual([])
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

let done = 0

describe('watchers are notified of a change by', () => {
  it.each(changing)('%s', async (name) => {
    for (const [who, watcher] of watchers) await catchUp(who, watcher)
    if (await succeed(name)) done++
    await w.settle()
    await w.advance(1000)
    await w.advance(1000)
    for (const [who, watcher] of watchers) await expectNotified(who, watcher)
  })
})

it('most operations succeed, and each watcher may read several addresses', () => {
  // The others need something that an earlier operation has deleted.
  expect(done).toBeGreaterThan(changing.length / 2)
  const watched = watching.map((who) => watchers.get(who)?.readable ?? [])
  expect(watched.every((readable) => readable.length > 3)).toBe(true)
  expect(new Set(watched.flat()).size).toBeGreaterThan(reading.length * 0.8)
})
