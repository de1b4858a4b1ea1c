/** Two servers share two hosts evenly again, and record that these answer, after faults that follow each other at any pace. */
import { expect, it } from 'vitest'
import { SledUnreachable } from '#/ports.ts'
import { waitingEngine } from '#/testing/engines.ts'
import { altered, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import fc from '#/testing/properties.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { partOf } from '../hosts.ts'

const hosts = [0, 1] as const
const servers = ['one', 'two'] as const
type Server = (typeof servers)[number]

interface Frozen {
  server: Server
  ms: number
}

/** A host that does not answer for a while, and servers that are frozen at its beginning and after its end. */
interface Fault {
  host: (typeof hosts)[number]
  /** Of which the host is cut off. */
  of: readonly Server[]
  frozen: Frozen | null
  frozenAfter: Frozen | null
  ms: number
  /** Before the next fault. */
  pauseMs: number
}

const duration = fc.integer({ min: 0, max: 9_000 })
const frozen: fc.Arbitrary<Frozen | null> = fc.option(
  fc.record({ server: fc.constantFrom(...servers), ms: fc.integer({ min: 0, max: 6_000 }) }),
)
const faults: fc.Arbitrary<Fault> = fc.record({
  host: fc.constantFrom(...hosts),
  of: fc.constantFrom(servers, ['one'] as const, ['two'] as const),
  frozen,
  frozenAfter: frozen,
  ms: duration,
  pauseMs: duration,
})

/** One that a server left to others is taken by it again, and one that was given back in vain is given back again, after a minute. */
const wholeWithinMs = 75_000

const ofAll = (host: Fault['host'], ms: number): Fault => ({
  host,
  of: servers,
  frozen: null,
  frozenAfter: null,
  ms,
  pauseMs: 0,
})
/** A server has left both hosts less than a minute ago, and the other one gives each of them back in vain. */
const leftBoth = [
  { ...ofAll(0, 1_494), frozen: { server: 'one', ms: 506 } },
  ofAll(1, 2_000),
  ofAll(1, 3_000),
] satisfies Fault[]
/** A server that was frozen records as silent what another one has taken since it looked. */
const takenSince = [
  { ...ofAll(0, 0), of: ['one'], frozen: { server: 'one', ms: 3_000 } },
  ofAll(0, 0),
] satisfies Fault[]
const lateRenewal = [
  ofAll(0, 0),
  { ...ofAll(1, 1_000), of: ['two'], frozen: { server: 'one', ms: 4_000 } },
  ofAll(0, 0),
] satisfies Fault[]

it('hosts are shared evenly again after each of some faults, and recorded as they are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(faults, { minLength: 1, maxLength: 6 }), async (all) => {
      const w = await openWorld({ timings: swift, lookMs: 3_000 })
      try {
        await carryOut(w, all)
      } finally {
        await w.close()
      }
    }),
    { numRuns: 40, examples: [[leftBoth], [takenSince], [lateRenewal]] },
  )
})

/** The hosts as a server reaches them. */
interface Reach {
  /** The hosts that do not answer it. */
  cut: Set<string>
  frozen: Promise<void> | undefined
  /** Tells it that a host has begun or ceased to answer. */
  changed: () => void
}

async function carryOut(w: TestWorld, all: readonly Fault[]): Promise<void> {
  await w.plane.loops.stop()
  const hostOf = await addHosts(w)
  const hostIds = [...new Set(hostOf.values())]
  const reached = new Map<Server, Reach>(
    servers.map((name) => [name, { cut: new Set(), frozen: undefined, changed: () => undefined }]),
  )
  for (const reach of reached.values()) await startServer(w, reach, hostOf)
  await untilWhole(w)
  for (const fault of all) {
    for (const name of fault.of) cutOff(reached.get(name), hostIds[fault.host])
    if (fault.frozen) await freeze(w, reached.get(fault.frozen.server), fault.frozen.ms)
    await w.advance(fault.ms)
    for (const reach of reached.values()) cutOff(reach, undefined)
    if (fault.frozenAfter) await freeze(w, reached.get(fault.frozenAfter.server), fault.frozenAfter.ms)
    await untilWhole(w)
    await w.advance(fault.pauseMs)
  }
}

function cutOff(reach: Reach | undefined, host: string | undefined): void {
  if (!reach || (host === undefined && reach.cut.size === 0)) return
  reach.cut.clear()
  if (host !== undefined) reach.cut.add(host)
  reach.changed()
}

/** Gives the sleds to two hosts by turns. Returns the host of each. */
async function addHosts(w: TestWorld): Promise<ReadonlyMap<string, string>> {
  const now = w.clock.now()
  const times = { timeStateChanged: now, timeCreated: now, timeModified: now }
  const ids = hosts.map(() => w.world.ids.uuid())
  const sleds = (await w.sleds.hosts()).toSorted()
  const hostOf = new Map(sleds.map((id, i) => [id, ids[i % ids.length] ?? '']))
  await inDb(w, async (tx) => {
    for (const [i, id] of ids.entries()) {
      const host = { id, address: `192.0.2.${i + 1}`, port: 7400, fingerprint: 'a'.repeat(64) }
      await tx
        .insertInto('host')
        .values({ ...host, state: 'up', ...times })
        .execute()
    }
    for (const [id, hostId] of hostOf)
      await tx.updateTable('sled').set({ hostId }).where('id', '=', id).execute()
  })
  return hostOf
}

async function startServer(w: TestWorld, reach: Reach, hostOf: ReadonlyMap<string, string>): Promise<void> {
  const driver = w.sleds.asServer()
  const isCut = (id: string) => reach.cut.has(hostOf.get(id) ?? '')
  const sleds = altered(driver, {
    isInside: () => false,
    answers: (id) => !isCut(id),
    hold: async (id, epoch) => {
      if (isCut(id)) throw new SledUnreachable('it is cut off')
      await driver.hold(id, epoch)
    },
    hardware: async () => {
      const report = await driver.hardware()
      const ofHosts = report.sleds.map((sled) => ({ ...sled, hostId: hostOf.get(sled.id) ?? '' }))
      const isUp = (id: string | null) => id === null || !reach.cut.has(id)
      const up = [...new Set(hostOf.values())].filter(isUp)
      return { ...partOf({ ...report, sleds: ofHosts }, isUp), hosts: up }
    },
    watchHardware: (onChange) => {
      reach.changed = onChange
      return () => (reach.changed = () => undefined)
    },
  })
  await w.another(sleds, { engine: waitingEngine(w.world.engine, () => reach.frozen) })
}

async function freeze(w: TestWorld, reach: Reach | undefined, ms: number): Promise<void> {
  if (!reach) return
  const { promise, resolve } = Promise.withResolvers<void>()
  reach.frozen = promise
  // Not until all work is done, as usual: that of this server waits.
  await w.clock.advance(ms)
  reach.frozen = undefined
  resolve()
}

/** The numbers of sleds that servers drive, and what is recorded as silent or missing. */
const seen = (w: TestWorld) =>
  inDb(w, async (tx) => {
    const leases = await tx
      .selectFrom('lease')
      .select(['holder', 'until'])
      .where('name', 'like', 'sled %')
      .execute()
    const held = leases.filter(({ holder, until }) => holder !== '' && until > w.clock.now())
    return {
      shares: [...Map.groupBy(held, ({ holder }) => holder).values()].map(({ length }) => length),
      silent: await tx.selectFrom('host').select('address').where('state', '=', 'silent').execute(),
      missing: await tx.selectFrom('sled').select('serial').where('missingSince', 'is not', null).execute(),
    }
  })

const whole = { shares: [2, 2], silent: [], missing: [] }

async function untilWhole(w: TestWorld): Promise<void> {
  const end = w.clock.now() + wholeWithinMs
  const isWhole = async () => JSON.stringify(await seen(w)) === JSON.stringify(whole)
  while (w.clock.now() < end && !(await isWhole())) await w.advance(1_000)
  expect(await seen(w)).toEqual(whole)
}
