/** What requests ask of PostgreSQL: counts that do not depend on the machine, and that no change may raise unnoticed. */
import { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { GiB } from '@purlin/contract/rules/limits'
import type { PostgresEngine } from '@purlin/databases/postgres'
import { openPostgresDatabase } from '#/testing/engines.ts'
import { addInstance } from '#/testing/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

interface Asked {
  statements: number
  roundTrips: number
  /** system calls that send something */
  writes: number
}

const plain = { networkInterfaces: { type: 'none' as const } }
const query = { project: 'demo' }
const client = (w: TestWorld) => w.as('collaborator')
const at = (instance: string) => ({ params: { instance }, query })

/** Each request is sent for this many resources. The least counts: how many statements share a round trip depends on
 * when answers arrive. */
const tries = [0, 1, 2, 3, 4]

/** The most of each request, authentication included. */
const budgets: Record<string, Asked & { send: (w: TestWorld, i: number) => Promise<unknown> }> = {
  view: { roundTrips: 3, statements: 8, writes: 3, send: (w) => client(w).instanceView(at('plain')) },
  'list of 50': {
    roundTrips: 4,
    statements: 9,
    writes: 4,
    send: (w) => client(w).instanceList({ query: { ...query, limit: 50 } }),
  },
  'create without network': {
    roundTrips: 4,
    statements: 14,
    writes: 5,
    send: (w, i) => addInstance(w, `new-plain-${i}`, plain),
  },
  'create with network': {
    roundTrips: 8,
    statements: 24,
    writes: 10,
    send: (w, i) => addInstance(w, `new-${i}`),
  },
  start: {
    roundTrips: 9,
    statements: 17,
    writes: 9,
    send: (w, i) => client(w).instanceStart(at(`networked-${i}`)),
  },
  delete: {
    roundTrips: 9,
    statements: 23,
    writes: 9,
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

describe.skipIf(!process.env['PURLIN_TEST_PG_URL'] && process.env['CI'] !== 'true')('on PostgreSQL', () => {
  let engine: PostgresEngine
  let w: TestWorld
  const writes = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev')]
  const written = () => writes.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  beforeAll(async () => {
    engine = await openPostgresDatabase()
    w = await openWorld({ engine })
    await addInstance(w, 'plain', plain)
    for (const i of tries) await addInstance(w, `networked-${i}`)
    // What runs beside a request would be counted with it.
    await w.plane.loops.stop()
  })
  afterAll(async () => {
    for (const one of writes) one.mockRestore()
    await w.close()
  })

  /** What work asks of the database, when statements have been prepared. */
  async function asked(work: () => Promise<unknown>): Promise<Asked> {
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
      const found: Asked[] = []
      for (const i of tries) found.push(await asked(() => one.send(w, i)))
      const least = (count: keyof Asked) => Math.min(...found.map((each) => each[count]))
      expect(least('roundTrips')).toBeLessThanOrEqual(one.roundTrips)
      expect(least('statements')).toBeLessThanOrEqual(one.statements)
      expect(least('writes')).toBeLessThanOrEqual(one.writes)
    },
  )

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
