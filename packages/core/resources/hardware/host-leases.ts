/**
 * Leases of hosts: one server at a time drives a host, and another one takes it over within five seconds after that one has
 * ended. Decision 0093 has the states of a lease and the reasons.
 */
import { memoizeByObject } from '#/concurrency/memoize.ts'
import type { World } from '#/context.ts'
import type { Engine } from '#/db/engine.ts'
import type { LeaseTable, Tx } from '#/db/tables.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import { setLease, takeOverMs } from '#/db/rows/leases.ts'
import { hostEpochs, type HostEpochs, leaseOf, sledOf } from './leases/host-epochs.ts'
import { memberOf, memberPattern, Shares, type SeenLeases } from './leases/shares.ts'

const renewMs = 1_000
/** A host that has answered its holder nothing for so long may answer another server. */
const silentMs = 2_000
/** A server that reaches no sled takes what has been free for so long, and offers it again to those that do. */
const withoutSled = { waitMs: 4_000, offerMs: 10_000 }
/** The work that one server does for all: `hardware` takes a server that reaches a sled, if there is one. */
const duties = ['server', 'hardware'] as const
export type Duty = (typeof duties)[number]

/** The part of a round that is new. */
export interface Taken {
  duties: readonly Duty[]
  /** Undefined for all there are. */
  sledIds: readonly string[] | undefined
}

/** A host is recorded by the server that drives it, and all else by the one with the duty. By the last round. */
export interface RecordedHosts {
  /** Those with sleds, in their order. */
  ids: readonly string[]
  /** Null is a host inside of a server. */
  has: (hostId: string | null) => boolean
  /** Those of them that answer this server now. */
  up: ReadonlySet<string>
}

/** The leases of one server. */
export interface HostLeases {
  /** False where no other server uses the database: this one drives everything, without leases. */
  readonly isShared: boolean
  has(duty: Duty): boolean
  holds(sledId: string): boolean
  /** The sleds that it holds; undefined for all. */
  sledIds(): readonly string[] | undefined
  /** The hosts whose hardware it records, where these have just answered; undefined for all. */
  recorded(answering?: readonly string[]): RecordedHosts | undefined
  /** Renews leases and takes free ones. */
  round(): Promise<{ taken: Taken; next: number }>
  /** Gives all back, so that other servers need not wait. */
  release(): Promise<void>
}

/** The leases of a control plane. */
export const hostLeasesOf: (world: World) => HostLeases = memoizeByObject((world) =>
  world.lookMs === undefined ? withoutOthers(world) : new SharedLeases(world),
)

/** Without others, the leases are only the epochs of hosts that know one, of the same database or the one before it. */
function withoutOthers(world: World): HostLeases {
  const { sleds, engine, clock } = world
  let known: Map<string, number> | undefined
  const epochs = hostEpochs(
    world,
    () => true,
    (sledId, epoch) => known?.set(sledId, epoch),
  )
  let isFirst = true

  async function round(): Promise<{ taken: Taken; next: number }> {
    const elsewhere = (await sleds.hosts()).filter((id) => sleds.isInside?.(id) === false)
    if (elsewhere.length > 0) known ??= await engine.transaction('read', storedEpochs)
    for (const id of elsewhere) epochs.announce(id, known?.get(id) ?? 0)
    const all = { duties, sledIds: undefined }
    const taken = isFirst ? all : { duties: [], sledIds: epochs.regained() }
    isFirst = false
    return { taken, next: clock.now() + renewMs }
  }

  return {
    isShared: false,
    has: () => true,
    holds: () => true,
    sledIds: () => undefined,
    recorded: () => undefined,
    round,
    release: () => Promise.resolve(),
  }
}

async function storedEpochs(tx: Tx): Promise<Map<string, number>> {
  const rows = await tx.selectFrom('lease').select(['name', 'epoch']).where('epoch', 'is not', null).execute()
  return new Map(rows.flatMap(({ name, epoch }) => sledOf(name).map((id) => [id, epoch ?? 0] as const)))
}

class SharedLeases implements HostLeases {
  readonly isShared = true
  readonly #world: World
  readonly #server: string
  /** The epochs of its leases, by name. */
  #held = new Map<string, number>()
  /** Without a renewal they end at this time. A server that was frozen knows by it that it may have lost them. */
  #until = -Infinity
  readonly #epochs: HostEpochs
  readonly #shares: Shares
  /** The hosts of sleds that are separate processes. */
  #hostOf: ReadonlyMap<string, string> = new Map()
  #reachesSled = false
  /** As the last round has seen them, and when: another server may have taken a lease since then. */
  #rows = new Map<string, LeaseTable>()
  #seenAt = -Infinity

  constructor(world: World) {
    this.#world = world
    this.#server = world.ids.uuid()
    this.#shares = new Shares(this.#server)
    this.#epochs = hostEpochs(
      world,
      (lease) => lease?.holder === this.#server && world.clock.now() < lease.until,
      (sledId, epoch) => this.#held.set(leaseOf(sledId), epoch),
    )
  }

  has(duty: Duty): boolean {
    return this.#has(duty)
  }

  holds(sledId: string): boolean {
    return this.#has(leaseOf(sledId))
  }

  sledIds(): readonly string[] {
    return [...this.#held.keys()].flatMap(sledOf).filter((id) => this.holds(id))
  }

  recorded(answering?: readonly string[]): RecordedHosts {
    const { unreached = new Set(), ...seen } = this.#seen([...this.#hostOf.keys()].map(leaseOf), this.#rows)
    const byHost = Map.groupBy(this.#hostOf.keys(), (id) => this.#hostOf.get(id) ?? null)
    const has = (hostId: string | null): boolean => {
      const leases = (byHost.get(hostId) ?? []).map(leaseOf)
      // A connection may look alive for seconds after the host has ended.
      const isSilent = hostId !== null && answering?.includes(hostId) === false
      const driver = this.#shares.driverOf(leases, {
        ...seen,
        now: this.#seenAt,
        unreached: isSilent ? new Set(leases) : unreached,
      })
      if (driver === 'own') return leases.some((name) => this.#has(name))
      return driver === 'none' && this.has('hardware')
    }
    const ids = [...new Set(this.#hostOf.values())].filter(has).toSorted()
    const isUp = (id: string) => (byHost.get(id) ?? []).some((sledId) => !this.#isUnreached(sledId))
    return { ids, has, up: new Set(ids.filter(isUp)) }
  }

  #has(name: string): boolean {
    const { clock, engine } = this.#world
    // A server of an older version that drives everything has no leases.
    return this.#held.has(name) && clock.now() < this.#until && engine.mayDrive?.() !== false
  }

  async round(): Promise<{ taken: Taken; next: number }> {
    const { clock } = this.#world
    await this.#renew()
    const names = await this.#reached()
    const { free, earliest, rows } = await this.#look(names)
    const taken = free.length > 0 ? await this.#take(names) : []
    const seen = this.#seen(names, rows)
    const silent = this.#epochs.silent(silentMs, (id) => this.#held.has(leaseOf(id)))
    const left = this.#shares.toLeave(silent.map(leaseOf), seen)
    const given = taken.length === 0 && left.length === 0 ? this.#shares.toGive(seen) : left
    const member = memberOf(this.#server)
    const isGone = this.#held.has(member) && !names.includes(member)
    await this.#giveBack(isGone ? [member, ...given] : given)
    if (!this.#reachesSled) await this.#offerHardware()
    for (const [name, epoch] of this.#held)
      for (const sledId of sledOf(name)) this.#epochs.announce(sledId, epoch)
    return {
      taken: {
        duties: duties.filter((duty) => taken.includes(duty)),
        sledIds: [...new Set([...taken.flatMap(sledOf), ...this.#epochs.regained()])],
      },
      next: Math.min(clock.now() + renewMs, Math.max(clock.now(), Math.min(earliest, this.#shares.due))),
    }
  }

  async release(): Promise<void> {
    await this.#transaction('append', (tx) => this.#end(tx).execute())
    this.#held.clear()
  }

  // Neither a full pool nor conflicts with other transactions may keep it from its turn.
  get #transaction(): Engine['transaction'] {
    const { engine } = this.#world
    const { independentTransaction: apart } = engine
    return apart ?? ((...args) => engine.transaction(...args))
  }

  /** Also renews leases that have ended and that no other server has taken. */
  async #renew(): Promise<void> {
    const until = this.#world.clock.now() + takeOverMs
    const rows = await this.#transaction('append', async (tx) => {
      await tx.updateTable('lease').set({ until }).where('holder', '=', this.#server).execute()
      return tx.selectFrom('lease').selectAll().where('holder', '=', this.#server).execute()
    })
    this.#held = new Map(rows.map(({ name, epoch }) => [name, epoch ?? 0]))
    this.#until = until
  }

  /** The names of all leases that this server may have. */
  async #reached(): Promise<string[]> {
    const { engine, sleds } = this.#world
    if (engine.mayDrive?.() === false) return []
    const hosts = await sleds.hosts()
    this.#reachesSled = hosts.length > 0
    // Without a shared host that answers it, no part is meant for it.
    const isMember = hosts.some((id) => this.#isShared(id) && !this.#isUnreached(id))
    const member = isMember ? [memberOf(this.#server)] : []
    return [...member, ...duties, ...hosts.map(leaseOf)]
  }

  /** True for a host that other servers reach as well. */
  #isShared(sledId: string): boolean {
    return this.#world.sleds.isInside?.(sledId) === false
  }

  #isUnreached(sledId: string): boolean {
    return this.#world.sleds.answers?.(sledId) === false
  }

  #seen(names: readonly string[], rows: ReadonlyMap<string, LeaseTable>): SeenLeases {
    const shared = names.flatMap((name) =>
      sledOf(name)
        .filter((id) => this.#isShared(id))
        .map((id) => [name, this.#hostOf.get(id) ?? id] as const),
    )
    const unreached = names.filter((name) => sledOf(name).some((id) => this.#isUnreached(id)))
    return {
      now: this.#world.clock.now(),
      rows,
      shared: new Map(shared),
      unreached: new Set(unreached),
    }
  }

  /** The epoch of a lease is the time when it was taken. */
  async #offerHardware(): Promise<void> {
    const since = this.#held.get('hardware')
    if (since !== undefined && since <= this.#world.clock.now() - withoutSled.offerMs)
      await this.#giveBack(['hardware'])
  }

  /** Leaves hosts to other servers. */
  async #giveBack(names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    for (const name of names) this.#held.delete(name)
    this.#noteLeases(names, { holder: '', until: this.#world.clock.now() })
    await this.#transaction('append', (tx) => this.#end(tx).where('name', 'in', names).execute())
  }

  /** Ends leases of this server. */
  #end(tx: Tx) {
    const ended = { holder: '', until: this.#world.clock.now() }
    return tx.updateTable('lease').set(ended).where('holder', '=', this.#server)
  }

  async #look(names: readonly string[]) {
    const { engine, clock } = this.#world
    const seenAt = clock.now()
    const rows = await engine.transaction('read', async (tx) => {
      const sleds = await tx
        .selectFrom('sled')
        .select(['id', 'hostId'])
        .where('hostId', 'is not', null)
        .execute()
      this.#hostOf = new Map(sleds.map(({ id, hostId }) => [id, hostId ?? id]))
      return rowsOf(tx, [...new Set([...names, ...sleds.map(({ id }) => leaseOf(id))])])
    })
    this.#rows = new Map(rows)
    this.#seenAt = seenAt
    const now = clock.now()
    // One that is free, and left to another server, is looked at in the next round.
    const others = [...rows.values()].filter(({ holder, until }) => holder !== this.#server && until > now)
    return {
      rows,
      free: this.#freeAmong(names, rows),
      earliest: Math.min(...others.map(({ until }) => until)),
    }
  }

  /** Those of the free leases that this server takes. */
  #freeAmong(names: readonly string[], rows: Map<string, LeaseTable>): string[] {
    const seen = this.#seen(names, rows)
    const free = names.filter((name) => {
      const row = rows.get(name)
      const wait = name === 'hardware' && !this.#reachesSled ? withoutSled.waitMs : 0
      return !row || (row.holder !== this.#server && row.until <= seen.now - wait)
    })
    return this.#shares.toTake(free, seen)
  }

  async #take(reached: readonly string[]): Promise<string[]> {
    const { engine, clock } = this.#world
    // A server that ends, or is started, may be what frees room.
    const taken = await evenWhileFull(() =>
      engine.transaction('write', async (tx) => {
        const now = clock.now()
        const rows = await rowsOf(tx, reached)
        const free = this.#freeAmong(reached, rows)
        await tx.deleteFrom('lease').where('name', 'like', memberPattern).where('until', '<=', now).execute()
        // Hosts remember those of the time after a backup: by the clock, none of them comes again.
        const epochs = free.map((name) => [name, Math.max((rows.get(name)?.epoch ?? 0) + 1, now)] as const)
        const lease = { holder: this.#server, until: now + takeOverMs }
        for (const [name, epoch] of epochs) await setLease(tx, name, { ...lease, epoch })
        return epochs
      }),
    )
    for (const [name, epoch] of taken) this.#held.set(name, epoch)
    const names = taken.map(([name]) => name)
    this.#noteLeases(names, { holder: this.#server, until: clock.now() + takeOverMs })
    return names
  }

  #noteLeases(names: readonly string[], set: Pick<LeaseTable, 'holder' | 'until'>): void {
    for (const name of names) this.#rows.set(name, { name, epoch: null, ...this.#rows.get(name), ...set })
  }
}

async function rowsOf(tx: Tx, names: readonly string[]): Promise<Map<string, LeaseTable>> {
  if (names.length === 0) return new Map()
  const rows = await tx
    .selectFrom('lease')
    .selectAll()
    .where((eb) => eb.or([eb('name', 'in', names), eb('name', 'like', memberPattern)]))
    .execute()
  return new Map(rows.map((row) => [row.name, row]))
}
