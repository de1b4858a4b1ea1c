/** Every operation that changes something is recorded, once, with all that it touches; no other one is. */
import { isRecorded, type OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { kindNames } from '@purlin/contract/rules/kinds'
import { snake } from '@purlin/contract/wire'
import { kindRows, rowsOf } from '#/db/kinds.ts'
import type { Engine } from '#/db/engine.ts'
import type { AuditPendingTable, Tx } from '#/db/tables.ts'
import { openTestEngine } from '#/testing/engines.ts'
import { createFixtures, plausible } from '#/testing/requests.ts'
import { createCallers, roleNames } from '#/testing/access/role-callers.ts'
import { dump } from '#/testing/state.ts'
import { openWorld, type RawRequest, type TestWorld } from '#/testing/world.ts'
import { openConsole } from '#/resources/instances/console/open.ts'
import type { Details } from './details.ts'
import { sequence } from './sequence.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

interface Seen {
  before: Row[]
  after: Row[]
  recorded: (Omit<AuditPendingTable, 'keys'> & Details)[]
}
interface Row {
  kind: string
  id: string
  name: string
  parentId: string | null
}

let w: TestWorld
let callers: Map<string, Record<string, string>>
let seen: Seen | undefined
let isWatched = false
beforeAll(async () => {
  w = await openWorld({ engine: watched(await openTestEngine()) })
  await createFixtures(w)
  callers = await createCallers(w, 'home')
  await w.settle()
  await w.plane.loops.stop()
  while (await sequence(w.world));
})
afterAll(() => w.close())

/** An engine that notes what a transaction did, and then rolls it back, while `isWatched`. */
function watched(engine: Engine): Engine {
  const done = new Error('rolled back')
  const transaction: Engine['transaction'] = async (mode, work, reads) => {
    if (mode === 'read' || !isWatched) return engine.transaction(mode, work, reads)
    let result: { value: Awaited<ReturnType<typeof work>> } | undefined
    const run: typeof work = async (tx, pipelineWithCommit) => {
      const before = await rowsIn(tx)
      const value = await work(tx, pipelineWithCommit)
      result = { value }
      const pending = await tx.selectFrom('auditPending').selectAll().execute()
      const recorded = pending.map((row) => ({ ...row, ...(JSON.parse(row.detailsJson) as Details) }))
      seen = {
        before: seen?.before ?? before,
        after: await rowsIn(tx),
        recorded: [...(seen?.recorded ?? []), ...recorded],
      }
      throw done
    }
    await engine.transaction(mode, run, reads).catch((error: unknown) => {
      if (error !== done) throw error
    })
    if (!result) throw new Error('the transaction did not run')
    return result.value
  }
  return {
    ...engine,
    transaction,
    ...(engine.independentTransaction ? { independentTransaction: transaction } : {}),
  }
}

/** All rows of every kind. */
async function rowsIn(tx: Tx): Promise<Row[]> {
  const all: Row[] = []
  for (const kind of kindNames)
    for (const row of (await rowsOf(tx, kind).selectAll().execute()) as unknown as Record<string, string>[])
      all.push({
        kind,
        id: row['id'] ?? '',
        name: row['name'] ?? row['displayName'] ?? '',
        parentId: row[kindRows[kind].parent ?? ''] ?? null,
      })
  return all
}

/** The status of the answer, and the records since. */
async function ask(role: string, request: RawRequest, op: OpShape): Promise<{ status: number; seen?: Seen }> {
  const headers = { ...callers.get(role), 'user-agent': 'tests' }
  isWatched = true
  seen = undefined
  try {
    const status =
      op.ok === 'upgrade'
        ? await open({ ...request, headers })
        : (await w.raw({ ...request, headers })).status
    return { status, ...(seen ? { seen } : {}) }
  } finally {
    isWatched = false
  }
}

const open = (request: RawRequest): Promise<number> =>
  w.plane
    .upgrade({ method: 'GET', headers: {}, remote: '127.0.0.1', ...request })
    .then(({ ctx, input }) => openConsole(ctx, input, { data: () => undefined, closed: () => undefined }))
    .then(
      ({ stream }) => {
        stream.close()
        return 101
      },
      (error: { status: number }) => error.status,
    )

const isFine = (status: number) => status < 400
/** The answer to the strongest caller who succeeds, or to the strongest of all. */
async function succeed(name: OperationName) {
  const op: OpShape = operations[name]
  let first: Awaited<ReturnType<typeof ask>> | undefined
  for (const role of roleNames.toReversed())
    for (const by of ['id', 'name'] as const) {
      const answer = await ask(role, plausible(w, name, by), op)
      if (isFine(answer.status)) return answer
      first ??= answer
    }
  return first ?? { status: 0 }
}

const names = Object.keys(operations) as OperationName[]
const shapeOf = (name: OperationName): OpShape => operations[name]
const changing = names.filter((name) => isRecorded(operations[name]))

/** The operations that a caller has succeeded with. */
const done = new Set<OperationName>()

describe('an operation that changes something', () => {
  it.each(changing)('%s', async (name) => {
    const { status, seen: found } = await succeed(name)
    expect(found?.recorded ?? [], `one entry, answered ${status}`).toHaveLength(1)
    const [recorded] = found?.recorded ?? []
    expect(recorded).toMatchObject({
      operation: snake(name),
      status,
      userAgent: 'tests',
      sourceIp: '127.0.0.1',
      uri: expect.stringMatching(/^\/(?:v1|experimental\/v1|device|login|scim\/v2)\//) as string,
      siloName: 'acme',
    })
    expect(recorded?.actorId).not.toBeNull()
    if (!isFine(status) || !found) return
    done.add(name)
    const listed = new Set(recorded?.objects.map(([, id]) => id))
    expect(missing(found, listed)).toEqual([])
  })
})

it('most of them have been done', () => {
  expect(done.size).toBeGreaterThan((changing.length * 2) / 3)
})

/** The rows that were created, renamed or deleted, and are listed neither themselves nor by their parent. */
function missing({ before, after }: Seen, listed: ReadonlySet<string>): string[] {
  const [were, are] = [before, after].map((rows) => new Map(rows.map((row) => [row.id, row])))
  const isCovered = (row: Row | undefined): boolean =>
    row !== undefined &&
    (listed.has(row.id) || isCovered(were?.get(row.parentId ?? '') ?? are?.get(row.parentId ?? '')))
  const changed = [...before, ...after].filter(
    ({ id, name }) => were?.get(id)?.name !== name || are?.get(id)?.name !== name,
  )
  // A direct child of a project or silo is listed itself.
  const isOwn = ({ kind }: Row) =>
    ['disk', 'instance', 'image', 'snapshot', 'floatingIp', 'vpc', 'project', 'silo', 'ipPool'].includes(kind)
  return changed
    .filter((row) => (isOwn(row) ? !listed.has(row.id) : !isCovered(row)))
    .map(({ kind, name }) => `${kind} ${name}`)
}

describe('an operation that only asks', () => {
  it.each(names.filter((name) => !isRecorded(operations[name])))('%s', async (name) => {
    const before = await dump(w)
    const { seen: found } = await succeed(name)
    expect(found?.recorded ?? []).toEqual([])
    expect(await dump(w)).toEqual(before)
  })
})

describe('an operation that is refused', () => {
  // Users are strangers to those of SCIM clients.
  it.each(changing.filter((name) => shapeOf(name).allow !== 'scim'))('%s', async (name) => {
    const op: OpShape = operations[name]
    const { status, seen: found } = await ask('no role', plausible(w, name, 'id'), op)
    if (isFine(status)) return
    expect(found?.recorded).toMatchObject([
      { operation: snake(name), status, message: expect.any(String) as string },
    ])
    // Strangers who sign in are recorded.
    if (op.signsIn) return
    const { seen: strangers } = await ask('noRole', plausible(w, name, 'id'), op)
    expect(strangers?.recorded ?? []).toEqual([])
  })
})
