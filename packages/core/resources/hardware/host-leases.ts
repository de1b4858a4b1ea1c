/**
 * Leases of hosts: one server at a time drives a host, and another one takes it over within five seconds after that one has
 * ended. Decision 0093 has the states of a lease and the reasons.
 */
import { memoizeByObject } from '#/concurrency/memoize.ts'
import type { World } from '#/context.ts'
import type { Engine } from '#/db/engine.ts'
import type { LeaseTable, Tx } from '#/db/tables.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import { SledUnreachable } from '#/ports.ts'
import { setLease, takeOverMs } from '#/db/rows/leases.ts'

const renewMs = 1_000
/** The work that one server does for all: `hardware` takes a server that reaches a host. */
const duties = ['server', 'hardware'] as const
export type Duty = (typeof duties)[number]

/** The part of a round that is new. */
export interface Taken {
  duties: readonly Duty[]
  /** Undefined for all there are. */
  sledIds: readonly string[] | undefined
}

/** The leases of one server. */
export interface HostLeases {
  /** False where no other server uses the database: this one drives everything, without leases. */
  readonly isShared: boolean
  has(duty: Duty): boolean
  holds(sledId: string): boolean
  /** The sleds that it holds; undefined for all. */
  sledIds(): readonly string[] | undefined
  /** Renews leases and takes free ones. */
  round(): Promise<{ taken: Taken; next: number }>
  /** Gives all back, so that other servers need not wait. */
  release(): Promise<void>
}

/** The leases of a control plane. */
export const hostLeasesOf: (world: World) => HostLeases = memoizeByObject((world) =>
  world.lookMs === undefined ? withoutOthers() : new SharedLeases(world),
)

const withoutOthers = (): HostLeases => ({
  isShared: false,
  has: () => true,
  holds: () => true,
  sledIds: () => undefined,
  round: () => Promise.resolve({ taken: { duties, sledIds: undefined }, next: Infinity }),
  release: () => Promise.resolve(),
})

const prefix = 'sled '
const leaseOf = (sledId: string): string => `${prefix}${sledId}`
const sledOf = (name: string): string[] => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])

class SharedLeases implements HostLeases {
  readonly isShared = true
  readonly #world: World
  readonly #server: string
  /** The epochs of its leases, by name. */
  #held = new Map<string, number>()
  /** Without a renewal they end at this time. A server that was frozen knows by it that it may have lost them. */
  #until = -Infinity

  constructor(world: World) {
    this.#world = world
    this.#server = world.ids.uuid()
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

  #has(name: string): boolean {
    return this.#held.has(name) && this.#world.clock.now() < this.#until
  }

  async round(): Promise<{ taken: Taken; next: number }> {
    const { clock } = this.#world
    await this.#renew()
    const names = await this.#reached()
    const { free, earliest } = await this.#look(names)
    const taken = free.length > 0 ? await this.#take(names) : []
    this.#announce()
    return {
      taken: { duties: duties.filter((duty) => taken.includes(duty)), sledIds: taken.flatMap(sledOf) },
      next: Math.min(clock.now() + renewMs, Math.max(clock.now(), earliest)),
    }
  }

  async release(): Promise<void> {
    const ended = { holder: '', until: this.#world.clock.now() }
    await this.#transaction('append', (tx) =>
      tx.updateTable('lease').set(ended).where('holder', '=', this.#server).execute(),
    )
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
    return hosts.length > 0 ? [...duties, ...hosts.map(leaseOf)] : ['server']
  }

  async #look(names: readonly string[]): Promise<{ free: string[]; earliest: number }> {
    const { engine, clock } = this.#world
    const rows = await engine.transaction('read', (tx) => rowsOf(tx, names))
    const others = [...rows.values()].filter(({ holder }) => holder !== this.#server)
    return {
      free: this.#freeAmong(names, rows, clock.now()),
      earliest: Math.min(...others.map(({ until }) => until)),
    }
  }

  #freeAmong(names: readonly string[], rows: Map<string, LeaseTable>, now: number): string[] {
    return names.filter((name) => {
      const row = rows.get(name)
      return !row || (row.holder !== this.#server && row.until <= now)
    })
  }

  async #take(names: readonly string[]): Promise<string[]> {
    const { engine, clock } = this.#world
    // A server that ends, or is started, may be what frees room.
    const taken = await evenWhileFull(() =>
      engine.transaction('write', async (tx) => {
        const now = clock.now()
        const rows = await rowsOf(tx, names)
        const free = this.#freeAmong(names, rows, now)
        const epochs = free.map((name) => [name, (rows.get(name)?.epoch ?? 0) + 1] as const)
        const lease = { holder: this.#server, until: now + takeOverMs }
        for (const [name, epoch] of epochs) await setLease(tx, name, { ...lease, epoch })
        return epochs
      }),
    )
    for (const [name, epoch] of taken) this.#held.set(name, epoch)
    return taken.map(([name]) => name)
  }

  /** Hosts remember it: they refuse the calls of older epochs. One that does not answer gets it with the next call. */
  #announce(): void {
    const { sleds, log } = this.#world
    for (const [name, epoch] of this.#held)
      for (const sledId of sledOf(name))
        sleds.hold(sledId, epoch).catch((error: unknown) => {
          if (!(error instanceof SledUnreachable))
            log.error({ sled: sledId, error: String(error) }, 'a host does not know who drives it')
        })
  }
}

async function rowsOf(tx: Tx, names: readonly string[]): Promise<Map<string, LeaseTable>> {
  if (names.length === 0) return new Map()
  const rows = await tx.selectFrom('lease').selectAll().where('name', 'in', names).execute()
  return new Map(rows.map((row) => [row.name, row]))
}
