/**
 * The statements and round trips of requests to PostgreSQL: counts that do not depend on the machine, and that no
 * change may raise unnoticed.
 */
import { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { GiB } from '@purlin/contract/rules/limits'
import type { PostgresEngine } from '@purlin/databases/postgres'
import { startDistance, together, type Distance } from '#/testing/distance.ts'
import { openPostgresDatabase } from '#/testing/engines.ts'
import { addInstance } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

interface RoundTrips {
  statements: number
  roundTrips: number
  /** system calls that send something */
  writes: number
}

const plain = { networkInterfaces: { type: 'none' as const } }
const query = { project: 'demo' }
const client = (w: TestWorld) => w.as('collaborator')
const at = (instance: string) => ({ params: { instance }, query })

/** Each request is sent for these resources. The median counts: one create in four also takes a new address for its NAT. */
const tries = [0, 1, 2, 3, 4]

/** The most of each request, authentication included. */
const budgets: Record<string, RoundTrips & { send: (w: TestWorld, i: number) => Promise<unknown> }> = {
  view: { roundTrips: 2, statements: 8, writes: 2, send: (w) => client(w).instanceView(at('plain')) },
  'list of 50': {
    roundTrips: 3,
    statements: 9,
    writes: 3,
    send: (w) => client(w).instanceList({ query: { ...query, limit: 50 } }),
  },
  'create without network': {
    roundTrips: 4,
    statements: 14,
    writes: 4,
    send: (w, i) => addInstance(w, `new-plain-${i}`, plain),
  },
  'create with network': {
    roundTrips: 8,
    statements: 24,
    writes: 8,
    send: (w, i) => addInstance(w, `new-${i}`),
  },
  start: {
    roundTrips: 8,
    statements: 18,
    writes: 8,
    send: (w, i) => client(w).instanceStart(at(`networked-${i}`)),
  },
  delete: {
    roundTrips: 8,
    statements: 24,
    writes: 8,
    send: (w, i) => client(w).instanceDelete(at(`new-${i}`)),
  },
}

/** Transactions that the database aborts for each request, while twelve projects send theirs. */
const aborted: { name: string; most: number; send: (w: TestWorld, project: string, i: number) => unknown }[] =
  [
    {
      name: 'creates without network',
      most: 0.1,
      send: (w, project, i) => addInstance(w, `plain-${i}`, plain, project),
    },
    // All take their source NAT from the same addresses.
    {
      name: 'creates with network',
      most: 0.1,
      send: (w, project, i) => addInstance(w, `networked-${i}`, {}, project),
    },
    {
      name: 'starts',
      most: 0.1,
      send: (w, project, i) =>
        client(w).instanceStart({ params: { instance: `plain-${i}` }, query: { project } }),
    },
    {
      name: 'disks',
      most: 0.1,
      send: (w, project, i) =>
        client(w).diskCreate({
          query: { project },
          body: {
            name: `disk-${i}`,
            description: '',
            size: GiB,
            diskSource: { type: 'blank', blockSize: 512 },
          },
        }),
    },
  ]

const describeOnPostgres = describe.skipIf(!process.env['PURLIN_TEST_PG_URL'] && process.env['CI'] !== 'true')

type Chunk = { chunk: unknown }[] | Buffer | string
/** True for a question of the monitor, which belongs to no request. */
const isHeartbeat = (written: Chunk | undefined) =>
  (Array.isArray(written) ? written.map(({ chunk }) => chunk) : [written]).some((chunk) =>
    String(chunk).includes('clock_timestamp'),
  )

// Which statements share a round trip depends on when answers arrive: here those of one trip arrive together.
describeOnPostgres('on PostgreSQL at a distance', () => {
  let engine: PostgresEngine
  let w: TestWorld
  let distance: Distance
  const writes = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev')]
  const toDatabase = (socket: unknown) => socket instanceof Socket && socket.remotePort === distance.port
  const written = () =>
    writes
      .flatMap(({ mock }) => mock.contexts.filter((_, i) => !isHeartbeat(mock.calls[i]?.[0])))
      .filter(toDatabase).length
  beforeAll(async () => {
    engine = await openPostgresDatabase(async (url) => {
      distance = await startDistance(url, together(3))
      return distance.url
    })
    w = await openWorld({ engine })
    await addInstance(w, 'plain', plain)
    for (const i of tries) await addInstance(w, `networked-${i}`)
    // Background work would be counted with the request.
    await w.plane.loops.stop()
  })
  afterAll(async () => {
    for (const one of writes) one.mockRestore()
    await w.close()
    await distance.stop()
  })

  /** The round trips of some work, once statements have been prepared. */
  async function countRoundTrips(work: () => Promise<unknown>): Promise<RoundTrips> {
    const { statements, roundTrips } = engine.work
    const before = written()
    await work()
    return {
      statements: engine.work.statements - statements,
      roundTrips: engine.work.roundTrips - roundTrips,
      writes: written() - before,
    }
  }

  it.each(Object.entries(budgets))(
    '%s keeps to its number of round trips, statements and writes',
    async (_, one) => {
      const found: RoundTrips[] = []
      for (const i of tries) found.push(await countRoundTrips(() => one.send(w, i)))
      const median = (count: keyof RoundTrips) =>
        found.map((each) => each[count]).toSorted((a, b) => a - b)[2]
      expect(median('roundTrips')).toBeLessThanOrEqual(one.roundTrips)
      expect(median('statements')).toBeLessThanOrEqual(one.statements)
      expect(median('writes')).toBeLessThanOrEqual(one.writes)
    },
  )
})

describeOnPostgres('on PostgreSQL', () => {
  let engine: PostgresEngine
  let w: TestWorld
  beforeAll(async () => {
    engine = await openPostgresDatabase()
    w = await openWorld({ engine })
    await w.plane.loops.stop()
  })
  afterAll(() => w.close())

  it.each(aborted)('$name in different projects hardly conflict', async ({ send, most }) => {
    const projects = Array.from({ length: 12 }, (_, i) => `project-${i}`)
    const has = await client(w).projectList({ query: {} })
    if (has.items.length < projects.length)
      for (const name of projects) await client(w).projectCreate({ body: { name, description: '' } })
    for (const project of projects) await send(w, project, 0)
    const each = 8
    const round = async (first: number) => {
      const before = engine.work.conflicts
      const inTurn = async (project: string) => {
        for (let i = first; i < first + each; i++) await send(w, project, i)
      }
      await Promise.all(projects.map(inTurn))
      return (engine.work.conflicts - before) / (projects.length * each)
    }
    // Transactions overlap for longer while the machine has other work, and more of them conflict.
    const found: number[] = []
    for (const [i] of tries.entries()) found.push(await round(1 + i * each))
    expect(Math.min(...found)).toBeLessThanOrEqual(most)
  })
})
