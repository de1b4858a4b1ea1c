/** Several hosts as one driver: each call goes to the host that has the sled. */
import {
  noHardware,
  SledUnreachable,
  SwitchUnreachable,
  type ConsoleListener,
  type Hardware,
  type SledDriver,
  type SledNetwork,
  type SwitchDriver,
  type VmLayers,
  type VmMigration,
  type VmSpec,
  type VmStatus,
} from '@purlin/core/ports'

export interface Fleet extends SledDriver {
  /** Replaces the hosts. Those that stay the same object stay as they are. */
  setHosts(hosts: readonly SledDriver[]): void
}

/** Makes a fleet without hosts. */
export const createFleet = (of: Pick<SledDriver, 'keepsBytes'>): Fleet => new Hosts(of.keepsBytes)

class Hosts implements Fleet {
  readonly keepsBytes: boolean
  readonly switches: SwitchDriver
  /** Each host, and how to end the calls of watchers. */
  #hosts = new Map<SledDriver, () => void>()
  /** The host of each sled, switch and component that it has reported. */
  #places = new Map<string, SledDriver>()
  #watchers = new Set<(status: VmStatus) => void>()
  #hardwareWatchers = new Set<() => void>()

  constructor(keepsBytes: boolean) {
    this.keepsBytes = keepsBytes
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

  setHosts(hosts: readonly SledDriver[]): void {
    for (const [host, end] of this.#hosts)
      if (!hosts.includes(host)) {
        end()
        this.#forget(host)
      }
    for (const host of hosts) if (!this.#hosts.has(host)) this.#hosts.set(host, this.#follow(host))
    this.#hardwareChanged()
  }

  #forget(host: SledDriver): void {
    this.#hosts.delete(host)
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

  #pass(host: SledDriver, status: VmStatus): void {
    if (this.#places.get(status.sledId) !== host) return
    for (const watcher of this.#watchers) watcher(status)
  }

  #hardwareChanged(): void {
    for (const watcher of this.#hardwareWatchers) watcher()
  }

  async hardware(): Promise<Hardware> {
    const all = structuredClone(noHardware)
    const hosts = [...this.#hosts.keys()]
    const reports = await Promise.all(hosts.map((host) => this.#report(host)))
    for (const report of reports) if (report) merge(all, report)
    return all
  }

  /** The report of a host; null if it does not answer. */
  async #report(host: SledDriver): Promise<Hardware | null> {
    try {
      return this.#own(host, await host.hardware())
    } catch (error) {
      if (error instanceof SledUnreachable) return null
      throw error
    }
  }

  /** The report of a host, less what another host has named before: no host gets at the machines of another. */
  #own(host: SledDriver, report: Hardware): Hardware {
    const isOwn = ({ id }: { id: string }): boolean => {
      const at = this.#places.get(id)
      if (at === undefined && this.#hosts.has(host)) this.#places.set(id, host)
      return at === undefined || at === host
    }
    const sleds = report.sleds.filter(isOwn)
    const switches = report.switches.filter(isOwn)
    const owned = new Set([...sleds, ...switches].map(({ id }) => id))
    return {
      ...report,
      sleds,
      switches,
      disks: report.disks.filter(({ sledId }) => owned.has(sledId)),
      ports: report.ports.filter(({ switchId }) => owned.has(switchId)),
      components: report.components.filter(isOwn),
    }
  }

  async #find(id: string): Promise<SledDriver | undefined> {
    if (!this.#places.has(id)) await this.hardware()
    return this.#places.get(id)
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

  async addSled(board: { part: string; serial: string }) {
    for (const host of this.#hosts.keys()) {
      const sled = await host.addSled(board).catch(unlessUnreachable)
      if (!sled) continue
      await this.#report(host)
      return sled
    }
    return null
  }

  async install(componentId: string, release: { version: string; hash: string }) {
    return (await this.#hostOf(componentId)).install(componentId, release)
  }

  async dropSled(sledId: string) {
    return (await this.#hostOf(sledId)).dropSled(sledId)
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

  async migrate(id: string, migration: VmMigration) {
    return (await this.#hostOf(migration.spec.sledId)).migrate(id, migration)
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

  async openConsole(at: { id: string; sledId: string }, history: number, to: ConsoleListener) {
    return (await this.#hostOf(at.sledId)).openConsole(at, history, to)
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

function merge(all: Hardware, { racks, ...report }: Hardware): void {
  // Several hosts of a rack name it.
  for (const rack of racks) if (!all.racks.some(({ id }) => id === rack.id)) all.racks.push(rack)
  all.sleds.push(...report.sleds)
  all.uninitialized.push(...report.uninitialized)
  all.disks.push(...report.disks)
  all.switches.push(...report.switches)
  all.ports.push(...report.ports)
  all.components.push(...report.components)
}
