import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@purlin/contract/client'
import { operations } from '@purlin/contract/operations'
import { GiB } from '@purlin/contract/rules/limits'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { manualClock } from '@purlin/sleds/manual-clock'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createControlPlane } from './control-plane.ts'
import type { World } from './context.ts'
import { createMemoryBlobs } from '@purlin/databases/blobs-in-memory'
import { demoPassword } from './seed/demo.ts'
import { Bookkeeper, signIn, startProcess, transportTo, type ServerProcess } from './testing/crash.ts'
import { inWholeRun } from './testing/samples.ts'
import { violations } from './testing/state.ts'
import { cheapPasswords, cheapSha256 } from './testing/world.ts'

const kills = inWholeRun(4, 20)
const clients = 6
const items = 300

let folder: string
let server: ServerProcess | null = null
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'purlin-crash-'))
})
afterAll(async () => {
  await server?.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** Looks at the database of a server that is dead. */
async function inspect(books: Bookkeeper[]): Promise<string[]> {
  const engine = openSqlite(join(folder, 'purlin.db'))
  try {
    const wrong = await engine.transaction('read', violations)
    for (const book of books) wrong.push(...(await engine.transaction('read', (tx) => book.audit(tx))))
    // The demo keeps some instances in states that otherwise pass quickly.
    return wrong.filter((line) => !line.startsWith('instance query-'))
  } finally {
    await engine.close()
  }
}

/** A control plane that comes up on the database and has all the time in the world. */
async function statesAfter(
  ms: number,
): Promise<{ states: Record<string, number>; errors: string[]; wrong: string[] }> {
  const clock = manualClock({ start: Date.now(), settle: () => new Promise(setImmediate) })
  const errors: string[] = []
  const silent = () => undefined
  const world: World = {
    engine: openSqlite(join(folder, 'purlin.db')),
    clock,
    ids: { uuid: randomUUID, bytes: (n) => new Uint8Array(randomBytes(n)) },
    passwords: cheapPasswords,
    sleds: createSimulatedSleds({ clock }),
    blobs: createMemoryBlobs(),
    sha256: cheapSha256,
    log: {
      info: silent,
      warn: silent,
      error: (fields, message) => errors.push(JSON.stringify({ ...fields, message })),
    },
    sessions: { idleMs: 1e12, absoluteMs: 1e12 },
  }
  const plane = await createControlPlane(world)
  for (let passed = 0; passed < ms; passed += 1000) {
    await clock.advance(1000)
    await plane.loops.settled()
  }
  const rows = await world.engine.transaction('read', (tx) =>
    tx.selectFrom('instance').select('runState').execute(),
  )
  const states: Record<string, number> = {}
  for (const { runState } of rows) states[runState] = (states[runState] ?? 0) + 1
  const wrong = await world.engine.transaction('read', violations)
  await plane.close()
  return { states, errors, wrong }
}

it(
  `a server killed ${kills} times keeps everything that it has acknowledged, and no partial change`,
  { timeout: 400_000 },
  async () => {
    server = await startProcess(folder, ['--demo'])
    const cookie = await signIn(server.url, 'hanna-okafor', demoPassword)
    const books = Array.from(
      { length: clients },
      (_, i) => new Bookkeeper(`crash-${i}`, () => server?.url ?? '', cookie),
    )
    const acknowledged = () => books.reduce((all, book) => all + book.acknowledged, 0)
    let before = 0
    for (let kill = 1; kill <= kills; kill++) {
      const work = books.map((book) => book.work())
      await expect.poll(acknowledged, { interval: 5 }).toBeGreaterThan(before)
      await sleep(Math.random() * 400)
      await server?.kill()
      server = null
      await Promise.all(work)
      expect(await inspect(books), `after kill ${kill}`).toEqual([])
      expect(books.flatMap((book) => [...book.failures, ...book.outages])).toEqual([])
      before = acknowledged()
      if (kill < kills) server = await startProcess(folder)
    }
    const { states, errors, wrong } = await statesAfter(2 * 3_600_000)
    expect(errors).toEqual([])
    expect(wrong).toEqual([])
    for (const state of Object.keys(states)) expect(['running', 'stopped', 'failed']).toContain(state)
    expect(states['running']).toBeGreaterThan(0)
  },
)

it('a server killed in the middle of a task does each of its items once', async () => {
  const own = mkdtempSync(join(tmpdir(), 'purlin-crash-tasks-'))
  let alive: ServerProcess | null = await startProcess(own, ['--demo'])
  const end = async () => {
    await alive?.kill()
    alive = null
  }
  try {
    const cookie = await signIn(alive.url, 'hanna-okafor', demoPassword)
    const client = createClient(
      operations,
      transportTo(() => alive?.url ?? '', cookie),
    )
    await client.projectCreate({ body: { name: 'many', description: '' } })
    const query = { project: 'many' }
    const disk = { description: '', size: GiB, diskSource: { type: 'blank', blockSize: 512 } } as const
    const names = Array.from({ length: items }, (_, i) => `disk-${i}`)
    await Promise.all(names.map((name) => client.diskCreate({ query, body: { ...disk, name } })))
    const list = '/v1/disks?project=many'
    const { id } = await client.taskCreate({ body: { kind: 'disk', action: 'delete', query: list } })
    const at = { params: { task: id } }
    let inTheMiddle = 0
    let left: number = items
    for (let kill = 0; kill < 2; kill++) {
      // It has gone on. After a restart it waits for the lease of the process before.
      const pendingNow = async () => (await client.taskView(at)).pending
      if (left > 0) await expect.poll(pendingNow, { interval: 5 }).toBeLessThan(left)
      await sleep(Math.random() * 20)
      await end()
      alive = await startProcess(own)
      const { pending } = await client.taskView(at)
      const { length } = (await client.diskList({ query: { ...query, limit: 1000 } })).items
      if (pending > 0 && pending < items) inTheMiddle++
      left = pending
      expect(length).toBeLessThanOrEqual(items)
    }
    await expect.poll(async () => (await client.taskView(at)).timeEnded).not.toBeNull()
    expect(inTheMiddle).toBeGreaterThan(0)
    expect(await client.taskView(at)).toMatchObject({ state: 'completed', succeeded: items, failed: 0 })
    expect((await client.diskList({ query })).items).toEqual([])
    await end()
    const engine = openSqlite(join(own, 'purlin.db'))
    const deleted = await engine.transaction('read', async (tx) => {
      const entries = await tx.selectFrom('auditEntry').select(['operation', 'status']).execute()
      const pending = await tx.selectFrom('auditPending').select(['operation', 'status']).execute()
      return [...entries, ...pending].filter((one) => one.operation === 'disk_delete')
    })
    await engine.close()
    expect(deleted.filter(({ status }) => status === 204)).toHaveLength(items)
  } finally {
    await end()
    rmSync(own, { recursive: true, force: true })
  }
})

it('a server killed while a sled is emptied leaves no instance and no reservation behind', async () => {
  const own = mkdtempSync(join(tmpdir(), 'purlin-crash-moves-'))
  let alive: ServerProcess | null = await startProcess(own, ['--demo'])
  try {
    const cookie = await signIn(alive.url, 'tariq-aziz', demoPassword)
    const client = createClient(
      operations,
      transportTo(() => alive?.url ?? '', cookie),
    )
    const sleds = (await client.sledList({ query: {} })).items
    const [busiest] = sleds.toSorted(
      (a, b) => (b.capacity?.threads.reserved ?? 0) - (a.capacity?.threads.reserved ?? 0),
    )
    const at = { params: { sledId: busiest?.id ?? '' } }
    const { taskId } = await client.sledMaintenanceStart({ ...at, body: {} })
    const task = () => client.taskView({ params: { task: taskId ?? '' } })
    await expect.poll(async () => (await task()).running ?? 0, { interval: 5 }).toBeGreaterThan(0)
    await alive.kill()
    alive = await startProcess(own)
    await expect.poll(async () => (await task()).timeEnded).not.toBeNull()
    expect(await task()).toMatchObject({ running: 0, pending: 0 })
    await alive.kill()
    alive = null
    const engine = openSqlite(join(own, 'purlin.db'))
    const wrong = await engine.transaction('read', violations)
    await engine.close()
    expect(wrong.filter((line) => !line.startsWith('instance query-'))).toEqual([])
  } finally {
    await alive?.kill()
    rmSync(own, { recursive: true, force: true })
  }
})
