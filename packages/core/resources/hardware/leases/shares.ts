/**
 * Hosts are shared evenly by the servers that reach them. A server takes free ones up to its share, gives one back at a time while
 * another server has two less, and takes the rest if no other does.
 */
import type { LeaseTable } from '#/db/tables.ts'

const prefix = 'member '
/** The lease by which others count a server. */
export const memberOf = (server: string): string => `${prefix}${server}`
/** Of the leases of all members, in SQL. */
export const memberPattern = `${prefix}%`

/** Others look each second: a host that is free for longer than this is reached by no server with less than its share. */
const waitMs = 2_000

/** The leases as a server sees them. */
export interface SeenLeases {
  now: number
  rows: ReadonlyMap<string, LeaseTable>
  /** The names of those of hosts that other servers reach as well. */
  shared: readonly string[]
}

export class Shares {
  readonly #server: string
  #freeSince = new Map<string, number>()
  /** Given back for others to take. */
  #given = new Set<string>()
  /** Given back in vain: the servers that there are do not reach them. */
  #kept = new Set<string>()
  #members = ''

  constructor(server: string) {
    this.#server = server
  }

  /** Those of the free leases that this server takes now. May be repeated. */
  toTake(free: readonly string[], seen: SeenLeases): string[] {
    const counts = this.#count(seen)
    let room = Math.ceil(seen.shared.length / counts.size) - (counts.get(this.#server) ?? 0)
    this.#forget(free, seen)
    return free.filter((name) => {
      if (!seen.shared.includes(name)) return true
      const since = this.#freeSince.get(name) ?? seen.now
      this.#freeSince.set(name, since)
      const isLeft = seen.now >= since + waitMs
      if (isLeft && this.#given.has(name)) this.#kept.add(name)
      return isLeft || (!this.#given.has(name) && room-- > 0)
    })
  }

  /** One to give back, if another server has too few. */
  toGive(seen: SeenLeases): string | undefined {
    const counts = this.#count(seen)
    if ((counts.get(this.#server) ?? 0) < Math.min(...counts.values()) + 2) return undefined
    const name = seen.shared.findLast(
      (one) => seen.rows.get(one)?.holder === this.#server && !this.#kept.has(one),
    )
    if (name !== undefined) this.#given.add(name)
    return name
  }

  /** The number of shared hosts of each server. */
  #count({ now, rows, shared }: SeenLeases): Map<string, number> {
    const valid = [...rows.values()].filter(({ until }) => until > now)
    const members = valid.filter(({ name }) => name.startsWith(prefix)).map(({ holder }) => holder)
    const all = [...new Set([...members, this.#server])].toSorted()
    if (all.join() !== this.#members) this.#kept.clear()
    this.#members = all.join()
    const ofHosts = valid.filter(({ name }) => shared.includes(name))
    return new Map(all.map((one) => [one, ofHosts.filter(({ holder }) => holder === one).length]))
  }

  #forget(free: readonly string[], { rows }: SeenLeases): void {
    for (const name of this.#freeSince.keys()) if (!free.includes(name)) this.#freeSince.delete(name)
    for (const name of this.#given)
      if (!free.includes(name) && rows.get(name)?.holder !== '') this.#given.delete(name)
  }
}
