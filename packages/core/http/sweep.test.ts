import type { OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { snake } from '@purlin/contract/wire'
import { existsSync, readFileSync } from 'node:fs'
import { wordsOf } from '#/auth/access.ts'
import { sessionsOf } from '#/auth/sessions.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import { openConsole } from '#/resources/instances/console/open.ts'
import { openTestEngine, undoingEngine } from '#/testing/engines.ts'
import { exampleOf, refusalOf, type Example } from '#/testing/examples.ts'
import fc from '#/testing/properties.ts'
import { createUser, grant } from '#/seed/rows.ts'
import { anyRequest, createFixtures, plausible, resourceOf } from '#/testing/requests.ts'
import { createCallers, roleNames } from '#/testing/access/role-callers.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { sampleOnOtherEngines } from '#/testing/samples.ts'
import { dump } from '#/testing/state.ts'
import { openWorld, type RawRequest, type RawResponse, type TestWorld } from '#/testing/world.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

type Callers = Map<string, Record<string, string>>
const all = Object.keys(operations) as OperationName[]
const names = sampleOnOtherEngines(all)
const goldenFile = new URL('access-matrix.golden.md', import.meta.url)
const golden = existsSync(goldenFile) ? readFileSync(goldenFile, 'utf8') : ''
const missing = '7f3a9e2c-0000-4000-8000-000000000000'

let w: TestWorld
let home: Callers
let away: Callers
let dry: { isOn: boolean }
beforeAll(async () => {
  const undoing = undoingEngine(await openTestEngine())
  dry = undoing.dry
  w = await openWorld({ engine: undoing.engine, rack: { spare: 1 } })
  await createFixtures(w)
  home = await createCallers(w, 'home')
  away = await createCallers(w, 'away')
  await w.settle()
})
afterEach(() => expect(w.errors).toEqual([]))
afterAll(() => w.close())

async function undone<T>(work: () => Promise<T>): Promise<T> {
  dry.isOn = true
  try {
    return await work()
  } finally {
    dry.isOn = false
  }
}

const ask = (headers: Record<string, string>, request: RawRequest): Promise<RawResponse> =>
  w.raw({ ...request, headers })

/**
 * The permission according to the answer: `ok`, the status of a refusal, or of another failure of a permitted
 * request.
 */
async function outcome(op: OpShape, headers: Record<string, string>, request: RawRequest): Promise<string> {
  return wordOf(await statusOf(op, headers, request))
}

type Headers = Record<string, string>
const statusOf = async (op: OpShape, headers: Headers, request: RawRequest): Promise<number> =>
  (await answerOf(op, headers, request)).status

async function answerOf(op: OpShape, headers: Headers, request: RawRequest) {
  if (op.ok !== 'upgrade') return ask(headers, request)
  return { ...(await open({ ...request, headers })), text: '' }
}

const wordOf = (status: number) => (status >= 200 && status < 400 ? 'ok' : String(status))

/** The first permitted request to each operation, for the reference of the API; without one, the last request. */
const examples: Record<string, Example> = {}
function keep(name: OperationName, request: RawRequest, status: number): void {
  const known = examples[snake(name)]
  if (!known || wordOf(known.status) !== 'ok') examples[snake(name)] = exampleOf(request, status)
}

/** The first refusal by each operation, or the first with 403, whose message says more. */
const refusals: Record<string, string> = {}
function keepRefusal(name: OperationName, refusal: string | undefined): void {
  const is403 = (text: string) => text.includes(': 403 ')
  if (refusal === undefined) return
  const known = refusals[snake(name)]
  if (known === undefined || (is403(refusal) && !is403(known))) refusals[snake(name)] = refusal
}

const withRefusals = (): Record<string, Example> =>
  Object.fromEntries(
    Object.entries(examples).map(([name, example]) => {
      const refusal = refusals[name]
      return [name, refusal ? { ...example, refusal } : example]
    }),
  )

/** Opens a stream as the server does. */
const open = (request: RawRequest): Promise<{ status: number }> =>
  w.plane
    .upgrade({ method: 'GET', headers: {}, ...request })
    .then(({ ctx, input }) => openConsole(ctx, input, { data: () => undefined, closed: () => undefined }))
    .then(
      () => ({ status: 200 }),
      (error: { status: number }) => error,
    )

/** The request with its targets replaced by missing ones; null if it names none. */
function without(request: RawRequest): RawRequest | null {
  const ids = new Set(Object.values(w.ids))
  const url = request.url.replaceAll(/[0-9a-f-]{36}/g, (id) => (ids.has(id) ? missing : id))
  return url === request.url ? null : { ...request, url }
}

async function cell(name: OperationName, role: string): Promise<string> {
  const op: OpShape = operations[name]
  const [at, from] = [home.get(role) ?? {}, away.get(role) ?? {}]
  const [byName, byId] = [plausible(w, name, 'name'), plausible(w, name, 'id')]
  const { status: first, text } = await answerOf(op, at, byName)
  keep(name, byName, first)
  keepRefusal(name, refusalOf(role, { status: first, text }))
  const own = [...new Set([wordOf(first), await outcome(op, at, byId)])].join(',')
  const nothing = without(byId)
  return nothing ? [own, await outcome(op, from, byId), await outcome(op, at, nothing)].join('/') : own
}

const heading = `# Who may call what

Written by \`npm run matrix\`; the same test compares it.

A cell is the answer to a request that makes sense, of a caller in the role of its column:
own/foreign/missing. *Own* is about a project, silo or fleet that the role is on; two answers separated by a comma are to
the request that names its target and the one that gives its id, without the parents that may then be left out. *Foreign*
is the same target, asked for by a caller whose role is on another project of the silo (P), on another silo (S), or who
is a user of another silo (F, no role, read-only key). *Missing* does not exist. A request that names no target has one answer.
\`400\` is an answer to what is permitted, but cannot be done to the target as it is. The *read-only key* is that of an
admin of the silo and the fleet; the *project key* is that of an admin of the silo, and limited to one project.

`

async function table(): Promise<string> {
  const lines: string[] = []
  for (const name of names) {
    const { method, path, allow, alsoNeeds }: OpShape = operations[name]
    const least = wordsOf(allow).join(' or ') + (alsoNeeds ? ` and ${alsoNeeds}` : '')
    const cells: string[] = []
    for (const role of roleNames) cells.push(await cell(name, role))
    lines.push(['', snake(name), `${method} ${path}`, least, ...cells, ''].join(' | ').trim())
  }
  const columns = ['Operation', 'Request', 'Least role', ...roleNames]
  return [`| ${columns.join(' | ')} |`, `|${'---|'.repeat(columns.length)}`, ...lines, ''].join('\n')
}

it('every operation answers every role as the matrix says', async () => {
  const before = await dump(w)
  const found = heading + (await undone(table))
  if (names.length === all.length) {
    await expect(found).toMatchFileSnapshot('./access-matrix.golden.md')
    await expect(`${JSON.stringify(withRefusals(), null, 2)}\n`).toMatchFileSnapshot('./examples.golden.json')
  } else expect(golden.split('\n')).toEqual(expect.arrayContaining(found.split('\n')))
  expect(await dump(w)).toEqual(before)
})

/** The answers of the matrix to the two requests that make sense, of a role. */
const rowsOfGolden = new Map(
  golden.split('\n').map((line) => [line.split(' | ')[0]?.slice(2), line.split(' | ')]),
)
function ownAnswers(name: OperationName, role: string): [string, string] {
  const cell = rowsOfGolden.get(snake(name))?.[3 + roleNames.indexOf(role)] ?? ''
  const [byName = '', byId = byName] = (cell.split('/')[0] ?? '').split(' |')[0]?.split(',') ?? []
  return [byName, byId]
}

/** A user of the silo who may read every policy. */
async function observer(): Promise<Record<string, string>> {
  const [siloId, resourceId] = [w.ids['acme'] ?? '', w.ids['acme'] ?? '']
  return inDb(w, async (tx) => {
    const id = await createUser(w.world, tx, { siloId, name: 'observer', passwordHash: null })
    const own = { identityType: 'silo_user', identityId: id, roleName: 'viewer' } as const
    await grant(tx, { ...own, resourceType: 'silo', resourceId })
    await grant(tx, { ...own, resourceType: 'fleet', resourceId: fleetId })
    return { cookie: `session=${await sessionsOf(w.world).start(tx, id)}` }
  })
}

describe('an explanation says what the dispatcher does', () => {
  let headers: Record<string, string>
  let ids: Map<string, string>
  beforeAll(async () => {
    headers = await observer()
    const users = await inDb(w, (tx) => tx.selectFrom('siloUser').select(['id', 'displayName']).execute())
    ids = new Map(users.map(({ id, displayName }) => [displayName, id]))
  })
  // Keys are not explained: their accounts are users like others.
  const isExplained = (role: string) =>
    role !== 'no session' && role !== 'SCIM client' && !role.endsWith(' key')
  const roles = roleNames.filter(isExplained)
  const idOf = (role: string) => ids.get(`home-${role.toLowerCase().replaceAll(' ', '-')}`) ?? ''
  const asked = async (path: string): Promise<Record<string, unknown>> => {
    const { status, json, text } = await ask(headers, { url: path })
    expect(status, `${path} ${text}`).toBe(200)
    return json as Record<string, unknown>
  }

  it.each(names)('%s', async (name) => {
    for (const [i, by] of (['name', 'id'] as const).entries()) {
      const about = `operation=${snake(name)}&resource=${resourceOf(w, name, by)}`
      const held = await asked(`/v1/access/who-can?${about}`)
      const holders = new Set((held['items'] as { id: string }[]).map(({ id }) => id))
      for (const role of roles) {
        const own = ownAnswers(name, role)[i] ?? ''
        const isPermitted = own === 'ok' || own === '400'
        const explanation = await asked(`/v1/access/explain?identity=${idOf(role)}&${about}`)
        expect(explanation['allowed'], `${role} is answered ${own} ${about}`).toBe(isPermitted)
        // Callers who need no role are not listed individually.
        if (explanation['without_role'] || held['without_role']) continue
        expect(holders.has(idOf(role)), `${role} among who can`).toBe(isPermitted)
      }
    }
  })
})

/** Callers of the world, with their column of the matrix; for a user of another silo, the foreign target. */
const callers = {
  anonymous: 'no session',
  noRole: 'no role',
  stranger: 'S-admin',
  projectViewer: 'P-viewer',
} as const
type Caller = keyof typeof callers

/** False if no request of this operation can be permitted to the caller. */
function may(caller: Caller, name: OperationName): boolean {
  const row = golden.split('\n').find((line) => line.startsWith(`| ${snake(name)} |`)) ?? ''
  // It may name its own silo.
  if (caller === 'stranger' && wordsOf(operations[name].allow).some((word) => word.startsWith('silo.')))
    return true
  // An id may be that of an image of the silo, which every user of the silo sees.
  if (caller === 'noRole' && name === 'resourceLookUp') return true
  const [own, foreign] = (row.split(' | ')[3 + roleNames.indexOf(callers[caller])] ?? '').split('/')
  return /ok|400/.test((caller === 'stranger' ? foreign : undefined) ?? own ?? '')
}

/** All rows that have to do with our silo or its project. */
async function ours(): Promise<string[]> {
  const { session: _session, sshKey: _keys, deviceRequest: _requests, ...rest } = await dump(w)
  const ids = ['acme', 'demo', 'web', 'data', 'yesterday', 'default', 'subnet'].map((key) => w.ids[key] ?? '')
  return Object.entries(rest).flatMap(([kind, rows]) =>
    rows.filter((row) => ids.some((id) => row.includes(id))).map((row) => `${kind} ${row}`),
  )
}

describe.each(Object.keys(callers) as Caller[])('any request of %s', (caller) => {
  // A stranger would be admin of a project it created, so its projects are deleted.
  afterEach(() =>
    inDb(w, (tx) =>
      tx
        .deleteFrom('project')
        .where('siloId', '=', w.ids['other'] ?? '')
        .execute(),
    ),
  )

  it.each(names)('%s', async (name) => {
    const before = await ours()
    const property = fc.asyncProperty(anyRequest(name, w.ids), async (one) => {
      const { status, text } = await askAs(caller, one)
      const what = `${JSON.stringify(one)}: ${status} ${text}`
      expect(status, what).toBeLessThan(500)
      const isOfItself = one.url.includes(w.ids[caller] ?? ' ')
      if (!may(caller, name) && !isOfItself) expect([400, 401, 403, 404], what).toContain(status)
    })
    await fc.assert(property, { numRuns: 12 })
    expect(await ours()).toEqual(before)
  })
})

function askAs(caller: Caller, request: RawRequest): Promise<RawResponse> {
  // Signing in or out ends the caller's session, which the rest of the sweep needs, so these bring one that has ended.
  if (/^\/v1\/(?:log(?:in|out)|users\/.*\/logout)/.test(request.url))
    return w.raw({ ...request, headers: { cookie: `session=${caller}` } })
  return w.raw(caller === 'anonymous' ? request : { ...request, who: caller })
}
