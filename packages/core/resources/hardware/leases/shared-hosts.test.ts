/** Two servers share two hosts evenly again after faults that follow each other at any pace. */
import { expect, it } from 'vitest'
import { SledUnreachable } from '#/ports.ts'
import { waitingEngine } from '#/testing/engines.ts'
import { altered, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import fc from '#/testing/properties.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

const hosts = [0, 1] as const
const servers = ['one', 'two'] as const
type Server = (typeof servers)[number]

/** A host that does not answer for a while, and a server that is frozen at its beginning. */
interface Fault {
  host: (typeof hosts)[number]
  /** Of which the host is cut off. */
  of: readonly Server[]
  frozen: { server: Server; ms: number } | null
  ms: number
  /** Before the next fault. */
  pauseMs: number
}

const duration = fc.integer({ min: 0, max: 9_000 })
const faults: fc.Arbitrary<Fault> = fc.record({
  host: fc.constantFrom(...hosts),
  of: fc.constantFrom(servers, ['one'] as const, ['two'] as const),
  frozen: fc.option(
    fc.record({ server: fc.constantFrom(...servers), ms: fc.integer({ min: 0, max: 3_500 }) }),
  ),
  ms: duration,
  pauseMs: duration,
})

/** One that a server left to others is taken by it again, and one that was given back in vain is given back again, after a minute. */
const evenWithinMs = 75_000

const ofAll = (host: Fault['host'], ms: number): Fault => ({
  host,
  of: servers,
  frozen: null,
  ms,
  pauseMs: 0,
})
/** A server has left both hosts less than a minute ago, and the other one gives each of them back in vain. */
const leftBoth = [
  { ...ofAll(0, 1_494), frozen: { server: 'one', ms: 506 } },
  ofAll(1, 2_000),
  ofAll(1, 3_000),
] satisfies Fault[]

it('hosts are shared evenly again after each of some faults', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(faults, { minLength: 1, maxLength: 6 }), async (all) => {
      const w = await openWorld({ timings: swift, lookMs: 3_000 })
      try {
        await carryOut(w, all)
      } finally {
        await w.close()
      }
    }),
    { numRuns: 40, examples: [[leftBoth]] },
  )
})

async function carryOut(w: TestWorld, all: readonly Fault[]): Promise<void> {
  await w.plane.loops.stop()
  const sleds = (await w.sleds.hosts()).toSorted()
  const sledsOf = (host: number) => sleds.filter((_, i) => i % hosts.length === host)
  for (const host of hosts) {
    const hostId = w.world.ids.uuid()
    await inDb(w, (tx) => tx.updateTable('sled').set({ hostId }).where('id', 'in', sledsOf(host)).execute())
  }
  const cut = new Map<Server, readonly string[]>()
  const frozen = new Map<Server, Promise<void>>()
  for (const name of servers) await startServer(w, { name, cut, frozen })
  await untilEven(w)
  for (const fault of all) {
    for (const name of fault.of) cut.set(name, sledsOf(fault.host))
    if (fault.frozen) await freeze(w, frozen, fault.frozen)
    await w.advance(fault.ms)
    cut.clear()
    await untilEven(w)
    await w.advance(fault.pauseMs)
  }
}

interface Faulty {
  name: Server
  /** The sleds that do not answer it. */
  cut: ReadonlyMap<Server, readonly string[]>
  frozen: ReadonlyMap<Server, Promise<void>>
}

async function startServer(w: TestWorld, { name, cut, frozen }: Faulty): Promise<void> {
  const reached = w.sleds.asServer()
  const isCut = (id: string) => cut.get(name)?.includes(id) === true
  const itsSleds = altered(reached, {
    isInside: () => false,
    answers: (id) => !isCut(id),
    hold: async (id, epoch) => {
      if (isCut(id)) throw new SledUnreachable('it is cut off')
      await reached.hold(id, epoch)
    },
  })
  await w.another(itsSleds, { engine: waitingEngine(w.world.engine, () => frozen.get(name)) })
}

async function freeze(
  w: TestWorld,
  frozen: Map<Server, Promise<void>>,
  { server, ms }: NonNullable<Fault['frozen']>,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  frozen.set(server, promise)
  // Not until all work is done, as usual: that of this server waits.
  await w.clock.advance(ms)
  frozen.delete(server)
  resolve()
}

/** The numbers of sleds that servers drive. */
const shares = async (w: TestWorld): Promise<number[]> => {
  const leases = await inDb(w, (tx) =>
    tx.selectFrom('lease').select(['holder', 'until']).where('name', 'like', 'sled %').execute(),
  )
  const held = leases.filter(({ holder, until }) => holder !== '' && until > w.clock.now())
  return [...Map.groupBy(held, ({ holder }) => holder).values()].map(({ length }) => length)
}

async function untilEven(w: TestWorld): Promise<void> {
  const end = w.clock.now() + evenWithinMs
  while (w.clock.now() < end && (await shares(w)).join() !== '2,2') await w.advance(1_000)
  expect(await shares(w)).toEqual([2, 2])
}
