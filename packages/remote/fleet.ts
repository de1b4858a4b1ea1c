/** Several hosts as one driver: each call goes to the host that has the sled. */
import {
  noHardware,
  SledUnreachable,
  SwitchUnreachable,
  type Clock,
  type ConsoleListener,
  type ConsoleStart,
  type Hardware,
  type JoinedHosts,
  type Log,
  type SledDriver,
  type SledNetwork,
  type SwitchDriver,
  type VmLayers,
  type VmMigration,
  type VmSpec,
  type VmStatus,
} from '@purlin/core/ports'

/** A host of a fleet. Its id is null for the one inside of the server. */
export interface FleetHost {
  id: string | null
  driver: SledDriver
  /** Others may report what it does not any more. */
  isForgotten?: boolean
}

/** Facts about sleds and switches from before: see `JoinedHosts`. */
export type Known = Pick<JoinedHosts, 'places' | 'simulated'>

export interface Fleet extends SledDriver {
  /** Replaces the hosts. Drivers that stay the same object stay as they are. */
  setHosts(hosts: readonly FleetHost[], known?: Known): void
}

export interface FleetOptions {
  clock: Clock
  log: Pick<Log, 'warn'>
}

/** Makes a fleet without hosts. */
export const createFleet = (options: FleetOptions): Fleet => new Hosts(options)

/** A host that takes longer to say what it has is not waited for: until then it has what it had. */
const promptMs = 2_000

interface Followed {
  id: string | null
  end: () => void
  /** Reports of machines elsewhere were dropped. */
  hasLied: boolean
}

class Hosts implements Fleet {
  readonly switches: SwitchDriver
  #log: Pick<Log, 'warn'>
  #clock: Clock
  #hosts = new Map<SledDriver, Followed>()
  /** The host that was the first to report each rack, board, sled, switch, disk, port and component. */
  #places = new Map<string, string | null>()
  #simulated = new Set<string>()
  /** The last report of each host that answers. */
  #last = new WeakMap<SledDriver, Hardware>()
  /** The hosts whose report is late. */
  #late = new WeakSet<SledDriver>()
  #watchers = new Set<(status: VmStatus) => void>()
  #hardwareWatchers = new Set<() => void>()

  constructor({ log, clock }: FleetOptions) {
    this.#log = log
    this.#clock = clock
    const switchesOf = async (switchId: string): Promise<SwitchDriver> => {
      const host = await this.#find(switchId)
      if (!host) throw new SwitchUnreachable('no host that answers has the switch')
      return host.switches
    }
    this.switches = {
      configure: async (switchId, to) => (await switchesOf(switchId)).configure(switchId, to),
      version: async (switchId) => (await switchesOf(switchId)).version(switchId),
      status: async (switchId) => (await switchesOf(switchId)).status(switchId),
    }
  }

  isInside(sledId: string): boolean {
    return this.#places.get(sledId) === null
  }

  answers(sledId: string): boolean {
    return this.#driverAt(sledId)?.answers?.(sledId) ?? true
  }

  keepsBytes(sledId: string): boolean {
    const host = this.#driverAt(sledId)
    return host?.keepsBytes(sledId) === true && !this.#simulated.has(sledId)
  }

  setHosts(hosts: readonly FleetHost[], known?: Known): void {
    const gone = [...this.#hosts].filter(([driver]) => !hosts.some((host) => host.driver === driver))
    const added = hosts.filter(({ driver }) => !this.#hosts.has(driver))
    for (const [driver, { id, end }] of gone) {
      end()
      this.#hosts.delete(driver)
      if (!hosts.some((host) => host.id === id && !host.isForgotten)) this.#forget(id)
    }
    for (const [id, host] of known?.places ?? []) this.#places.set(id, host)
    for (const id of known?.simulated ?? []) this.#simulated.add(id)
    for (const { id, driver } of added) {
      const followed: Followed = { id, end: () => undefined, hasLied: false }
      this.#hosts.set(driver, followed)
      followed.end = this.#follow(driver)
    }
    if (gone.length + added.length > 0) this.#hardwareChanged()
  }

  #forget(host: string | null): void {
    for (const [id, at] of this.#places) if (at === host) this.#places.delete(id)
  }

  #follow(host: SledDriver): () => void {
    // A host may report on its sleds only, which are known once it has named them.
    const known = this.#report(host).catch(() => null)
    const ends = [
      host.watch((status) => void known.then(() => this.#pass(host, status))),
      host.watchHardware(() => this.#hardwareChanged()),
    ]
    return () => {
      for (const end of ends) end()
    }
  }

  #pass(driver: SledDriver, status: VmStatus): void {
    const host = this.#hosts.get(driver)
    if (!host) return
    const at = this.#places.get(status.sledId)
    if (at === host.id) {
      for (const watcher of this.#watchers) watcher(status)
      return
    }
    if (at !== undefined && !host.hasLied)
      this.#log.warn(
        { host: host.id, sled: status.sledId },
        'reports of a host on a sled of another one are dropped',
      )
    host.hasLied ||= at !== undefined
  }

  #hardwareChanged(): void {
    for (const watcher of this.#hardwareWatchers) watcher()
  }

  async hardware(): Promise<Hardware> {
    const all = { ...structuredClone(noHardware), hosts: [] as string[] }
    const hosts = [...this.#hosts]
    const reports = await Promise.all(hosts.map(([driver]) => this.#soon(driver)))
    for (const [i, [, { id }]] of hosts.entries()) {
      const report = reports[i]
      if (!report) continue
      merge(all, report)
      if (id !== null) all.hosts.push(id)
    }
    return all
  }

  /** The report of a host, or its last one if this one takes long. */
  async #soon(driver: SledDriver): Promise<Hardware | null> {
    const last = this.#last.get(driver) ?? null
    if (this.#late.has(driver)) return last
    const report = this.#report(driver)
    // A server begins with what is inside of it.
    if (!last && this.#hosts.get(driver)?.id === null) return report
    const { promise: isLate, resolve } = Promise.withResolvers<'late'>()
    const cancel = this.#clock.after(promptMs, () => resolve('late'))
    const first = await Promise.race([report, isLate]).finally(cancel)
    if (first !== 'late') return first
    this.#late.add(driver)
    const arrived = () => {
      this.#late.delete(driver)
      if (this.#hosts.has(driver)) this.#hardwareChanged()
    }
    report.then(arrived, arrived)
    return last
  }

  /** The report of a host; null if it does not answer. */
  async #report(driver: SledDriver): Promise<Hardware | null> {
    try {
      const report = await driver.hardware()
      const host = this.#hosts.get(driver)
      if (!host) return null
      const own = this.#own(host.id, report)
      this.#last.set(driver, own)
      return own
    } catch (error) {
      this.#last.delete(driver)
      return unlessUnreachable(error)
    }
  }

  /** The report of a host, less what another host has named before: no host gets at the machines of another. */
  #own(host: string | null, report: Hardware): Hardware {
    const isOwn = ({ id }: { id: string }): boolean => {
      if (!this.#places.has(id)) this.#places.set(id, host)
      return this.#places.get(id) === host
    }
    const of = host === null ? {} : { hostId: host }
    const sleds = report.sleds.filter(isOwn).map((sled) => ({ ...sled, ...of }))
    const switches = report.switches.filter(isOwn).map((one) => ({ ...one, ...of }))
    for (const { id, accelerator } of sleds) if (accelerator === 'simulated') this.#simulated.add(id)
    const owned = new Set([...sleds, ...switches].map(({ id }) => id))
    return {
      ...report,
      racks: report.racks.filter(isOwn),
      sleds,
      uninitialized: report.uninitialized.filter((board) => isOwn({ id: boardOf(board) })),
      switches,
      disks: report.disks.filter((disk) => owned.has(disk.sledId) && isOwn(disk)),
      ports: report.ports.filter((port) => owned.has(port.switchId) && isOwn(port)),
      components: report.components.filter(
        (one) => owned.has(one.sledId ?? one.switchId ?? '') && isOwn(one),
      ),
    }
  }

  #driverAt(id: string): SledDriver | undefined {
    const host = this.#places.get(id)
    if (host === undefined) return undefined
    return [...this.#hosts].find(([, one]) => one.id === host)?.[0]
  }

  /** The host that has a sled with this board, as one that was added before. */
  #with({ part, serial }: Board): SledDriver | undefined {
    const hasIt = (driver: SledDriver) =>
      this.#last.get(driver)?.sleds.some((sled) => sled.part === part && sled.serial === serial) === true
    return [...this.#hosts.keys()].find(hasIt)
  }

  async #find(id: string): Promise<SledDriver | undefined> {
    if (!this.#places.has(id)) await this.hardware()
    return this.#driverAt(id)
  }

  /** The host that has a sled or a component. Throws SledUnreachable. */
  async #hostOf(id: string): Promise<SledDriver> {
    const host = await this.#find(id)
    if (!host) throw new SledUnreachable('no host that answers has the sled')
    return host
  }

  watchHardware(onChange: () => void): () => void {
    this.#hardwareWatchers.add(onChange)
    return () => void this.#hardwareWatchers.delete(onChange)
  }

  watch(onChange: (status: VmStatus) => void): () => void {
    this.#watchers.add(onChange)
    return () => void this.#watchers.delete(onChange)
  }

  async addSled(board: Board) {
    await this.hardware()
    // Another host that has such a board is not the one that was chosen.
    const host = this.#driverAt(boardOf(board)) ?? this.#with(board)
    const sled = (await host?.addSled(board).catch(unlessUnreachable)) ?? null
    if (host && sled) await this.#report(host)
    return sled
  }

  async isBoardInside(board: Board) {
    await this.hardware()
    return this.#places.get(boardOf(board)) === null
  }

  async install(componentId: string, release: { version: string; hash: string }) {
    return (await this.#hostOf(componentId)).install(componentId, release)
  }

  async dropSled(sledId: string) {
    return (await this.#hostOf(sledId)).dropSled(sledId)
  }

  async hosts() {
    const named = [...this.#hosts].map(async ([driver, { id }]) => {
      const sleds = await driver.hosts()
      return sleds.filter((sled) => (this.#places.get(sled) ?? id) === id)
    })
    return (await Promise.all(named)).flat()
  }

  async hold(sledId: string, epoch: number) {
    return (await this.#hostOf(sledId)).hold(sledId, epoch)
  }

  async ensure(id: string, spec: VmSpec) {
    return (await this.#hostOf(spec.sledId)).ensure(id, spec)
  }

  async remove(id: string, sledId: string, boot: number) {
    return (await this.#hostOf(sledId)).remove(id, sledId, boot)
  }

  async shutDown(id: string, sledId: string, boot: number) {
    return (await this.#hostOf(sledId)).shutDown(id, sledId, boot)
  }

  async setLayers(id: string, sledId: string, to: VmLayers) {
    return (await this.#hostOf(sledId)).setLayers(id, sledId, to)
  }

  /** Without a way to the other host, the one that has the machine says that it stays. */
  async migrate(id: string, migration: VmMigration) {
    const from = await this.#hostOf(migration.spec.sledId)
    const to = await this.#find(migration.to)
    const at = to === from ? undefined : await to?.receive?.(id, migration).catch(unlessUnreachable)
    await from.migrate(id, at ? { ...migration, at } : migration)
  }

  async setNetwork(sledId: string, network: SledNetwork) {
    return (await this.#hostOf(sledId)).setNetwork(sledId, network)
  }

  async networks(sledId: string) {
    return (await this.#hostOf(sledId)).networks(sledId)
  }

  async machines(sledId: string) {
    return (await this.#hostOf(sledId)).machines(sledId)
  }

  async inspect(id: string, sledId: string) {
    return (await this.#hostOf(sledId)).inspect(id, sledId)
  }

  async samples(sledId: string, since: number | null) {
    return (await this.#hostOf(sledId)).samples(sledId, since)
  }

  async readConsole(
    id: string,
    sledId: string,
    range: { from: number; max: number } | { last: number; max: number },
  ) {
    return (await this.#hostOf(sledId)).readConsole(id, sledId, range)
  }

  async openConsole(at: { id: string; sledId: string }, start: ConsoleStart, to: ConsoleListener) {
    return (await this.#hostOf(at.sledId)).openConsole(at, start, to)
  }

  async openDisplay(at: { id: string; sledId: string }, to: ConsoleListener) {
    return (await this.#hostOf(at.sledId)).openDisplay(at, to)
  }

  async *diagnostics() {
    for (const host of this.#hosts.keys())
      try {
        yield* host.diagnostics()
      } catch (error) {
        unlessUnreachable(error)
      }
  }
}

function unlessUnreachable(error: unknown): null {
  if (error instanceof SledUnreachable) return null
  throw error
}

/** Adds what is not there yet: a host cannot replace what another one has, nor make a report impossible to store. */
function merge(all: Hardware, report: Hardware): void {
  addTo(all.racks, report.racks, idOf)
  addTo(all.sleds, report.sleds, idOf)
  addTo(all.uninitialized, report.uninitialized, boardOf)
  addTo(all.disks, report.disks, idOf)
  addTo(all.switches, report.switches, idOf)
  addTo(all.ports, report.ports, idOf)
  addTo(all.components, report.components, idOf)
}

type Board = Parameters<SledDriver['addSled']>[0]

const boardOf = ({ part, serial }: Board): string => JSON.stringify([part, serial])

const idOf = ({ id }: { id: string }): string => id

function addTo<T>(all: T[], more: readonly T[], keyOf: (one: T) => string): void {
  const known = new Set(all.map(keyOf))
  for (const one of more) {
    const key = keyOf(one)
    if (!known.has(key)) all.push(one)
    known.add(key)
  }
}
