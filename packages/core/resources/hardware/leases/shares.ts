/**
 * Hosts are shared evenly by the servers that reach them. A server takes free ones up to its share, gives one back at
 * a time while another server has two less, and takes the rest if no other does. The sleds of a host are with one
 * server, as machines move between them. A server that does not reach a host leaves it to the others.
 */
import type { LeaseTable } from '#/db/tables.ts'

const prefix = 'member '
/** The lease by which others count a server. */
export const memberOf = (server: string): string => `${prefix}${server}`
/** Of the leases of all members, in SQL. */
export const memberPattern = `${prefix}%`

/** Others look each second: a host free for longer than this is reached by no server with less than its share. */
const waitMs = 2_000
/** All others look when a lease ends: one that was not given back waits so long for a server with less than its share. */
const endedWaitMs = 800
/**
 * A server that does not reach a host leaves it to others for so long, unless none of them takes it. One that was given back in vain
 * is not given back again for so long: a server that was slow, or had left it to others, may take it then.
 */
const leftToOthersMs = 60_000
/** A host that is free for longer than this is taken by no server. */
const freeMs = 10_000

/** The leases as a server sees them. */
export interface SeenLeases {
  now: number
  rows: ReadonlyMap<string, LeaseTable>
  /** The leases of sleds that other servers reach as well, each with its host. */
  shared: ReadonlyMap<string, string>
  /** Those of them whose host does not answer this server now. */
  unreached?: ReadonlySet<string>
}

export class Shares {
  readonly #server: string
  #freeSince = new Map<string, number>()
  /** Given back for others to take. */
  #given = new Set<string>()
  /** Given back in vain, and when: the servers that there are do not reach them, or left them to others, or were slow. */
  #kept = new Map<string, number>()
  /** Given back because this server did not reach them, and when. */
  #unreached = new Map<string, number>()
  #members = ''
  /** When a lease that was left to others may be taken. */
  #due = Infinity

  constructor(server: string) {
    this.#server = server
  }

  /** Those of the free leases that this server takes now. May be repeated. */
  toTake(free: readonly string[], seen: SeenLeases): string[] {
    const counts = this.#count(seen)
    const mine = this.#hosts(seen, 'own')
    let room = Math.ceil(new Set(seen.shared.values()).size / counts.size) - mine.size
    const others = this.#hosts(seen, 'others')
    this.#forget(free, seen)
    this.#due = Infinity
    return free.filter((name) => {
      const host = seen.shared.get(name)
      if (host === undefined) return true
      const since = this.#freeSince.get(name) ?? seen.now
      this.#freeSince.set(name, since)
      const isUnreached = seen.unreached?.has(name) === true || this.#isUnreached(name, seen.now)
      if (isUnreached) return seen.now >= since + 2 * waitMs
      const until = since + (isGivenBack(seen.rows.get(name)) ? waitMs : endedWaitMs)
      const isLeft = seen.now >= until
      if (!isLeft) this.#due = Math.min(this.#due, until)
      if (isLeft && this.#given.has(name)) this.#kept.set(name, seen.now)
      if (isLeft || mine.has(host)) return isLeft || !this.#given.has(name)
      if (this.#given.has(name) || others.has(host) || room-- <= 0) return false
      mine.add(host)
      return true
    })
  }

  /** When the next look is due, as something was left to others in the last one. */
  get due(): number {
    return this.#due
  }

  /** The leases of a host to give back, if another server has the host as well, or too few of them. */
  toGive(seen: SeenLeases): string[] {
    const split = this.#split(seen)
    for (const name of split) this.#given.add(name)
    if (split.length > 0) return split
    const counts = this.#count(seen)
    if ((counts.get(this.#server) ?? 0) < Math.min(...counts.values()) + 2) return []
    const own = this.#own(seen)
    const last = own.findLast(([name]) => !this.#isKept(name, seen.now))
    const names = own.flatMap(([name, host]) => (host === last?.[1] ? name : []))
    for (const name of names) this.#given.add(name)
    return names
  }

  /** Sleds of a host that has just joined may have come to several servers: the one with the first of them gets all. */
  #split({ now, rows, shared }: SeenLeases): string[] {
    const keepers = new Map<string, string>()
    const own: string[] = []
    for (const [name, host] of [...shared].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const row = rows.get(name)
      if (!row || row.until <= now) continue
      if (!keepers.has(host)) keepers.set(host, row.holder)
      const isSplit = row.holder === this.#server && keepers.get(host) !== this.#server
      if (isSplit && !this.#isKept(name, now)) own.push(name)
    }
    return own
  }

  /** The leases to give back of hosts of which no sled answers this server, if there is another one. */
  toLeave(silent: readonly string[], seen: SeenLeases): string[] {
    const own = this.#own(seen)
    // It answers again: the next time others get it at once.
    for (const [name] of own)
      if (!silent.includes(name) && seen.unreached?.has(name) !== true) this.#unreached.delete(name)
    if (this.#count(seen).size < 2) return []
    const answering = new Set(own.flatMap(([name, host]) => (silent.includes(name) ? [] : host)))
    const names = own.flatMap(([name, host]) =>
      answering.has(host) || this.#isUnreached(name, seen.now) ? [] : name,
    )
    for (const name of names) this.#unreached.set(name, seen.now)
    return names
  }

  /**
   * Names the driver of a host, by the leases of its sleds. While it is undecided, one of the servers may reach the host yet:
   * it has just been left to others, or is about to be.
   */
  driverOf(names: readonly string[], seen: SeenLeases): 'own' | 'other' | 'undecided' | 'none' {
    const rows = names.flatMap((name) => seen.rows.get(name) ?? [])
    const valid = rows.filter(({ until }) => until > seen.now)
    if (valid.some(({ holder }) => holder !== this.#server)) return 'other'
    const isAlone = this.#count(seen).size < 2
    if (valid.length > 0) {
      const isAnswered = names.some((name) => seen.unreached?.has(name) !== true)
      return isAlone || isAnswered || names.some((name) => this.#isUnreached(name, seen.now))
        ? 'own'
        : 'undecided'
    }
    const isLeft = rows.some(({ until }) => until > seen.now - freeMs)
    return isLeft && !isAlone ? 'undecided' : 'none'
  }

  /** The leases of this server, each with its host. */
  #own({ rows, shared }: SeenLeases): (readonly [name: string, host: string])[] {
    return [...shared].filter(([name]) => rows.get(name)?.holder === this.#server)
  }

  #isKept(name: string, now: number): boolean {
    return now < (this.#kept.get(name) ?? -Infinity) + leftToOthersMs
  }

  #isUnreached(name: string, now: number): boolean {
    return now < (this.#unreached.get(name) ?? -Infinity) + leftToOthersMs
  }

  /** The number of shared hosts of each server. */
  #count({ now, rows, shared }: SeenLeases): Map<string, number> {
    const valid = [...rows.values()].filter(({ until }) => until > now)
    const members = valid.filter(({ name }) => name.startsWith(prefix)).map(({ holder }) => holder)
    const all = [...new Set([...members, this.#server])].toSorted()
    if (all.join() !== this.#members) this.#kept.clear()
    this.#members = all.join()
    const hostsOf = (one: string) =>
      valid.flatMap((row) => (row.holder === one ? (shared.get(row.name) ?? []) : []))
    return new Map(all.map((one) => [one, new Set(hostsOf(one)).size]))
  }

  /** The shared hosts that this server has now, or others have. */
  #hosts({ now, rows, shared }: SeenLeases, of: 'own' | 'others'): Set<string> {
    const held = [...rows.values()].filter(
      ({ holder, until }) => until > now && (holder === this.#server) === (of === 'own'),
    )
    return new Set(held.flatMap(({ name }) => shared.get(name) ?? []))
  }

  #forget(free: readonly string[], { rows }: SeenLeases): void {
    for (const name of this.#freeSince.keys()) if (!free.includes(name)) this.#freeSince.delete(name)
    for (const name of this.#given)
      if (!free.includes(name) && rows.get(name)?.holder !== '') this.#given.delete(name)
  }
}

const isGivenBack = (row: LeaseTable | undefined): boolean => row === undefined || row.holder === ''
