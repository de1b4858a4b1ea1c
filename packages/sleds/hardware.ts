import {
  SledUnreachable,
  type ComponentInfo,
  type DiskInfo,
  type Hardware,
  type HostLoad,
  type PortInfo,
  type SledInfo,
  type SwitchInfo,
} from '@purlin/core/ports'
import { hash32 } from './hash.ts'
import { makeRack, rackIdOf, rackSerialOf, stableUuid, usualRack, type RackOptions } from './rack.ts'

const GB = 1e9
const gbit = 1e9
const uplinks = 2
const portsPerSwitch = 8
const disksPerSled = { u2: 10, m2: 2 } as const
const diskModels = {
  u2: { vendor: 'Ashlar', model: 'AS-N3200E', size: 3_200 * GB },
  m2: { vendor: 'Ashlar', model: 'AS-B0960', size: 960 * GB },
} as const
const switchModel = { part: '410-1900220', revision: 3, vendor: 'Ashlar', model: 'TS-32' } as const

/** The software that the simulated components have when they leave the factory. */
const factoryVersion = '1.0.0'

/** A whole number from 0 up to, but not including, `below`, derived from a text. */
const derived = (text: string, below: number): number => hash32(text, 7) % below

/** The hardware of a simulated rack, with failures. Only what is asked for fails. */
export class SimulatedHardware {
  #serial: string
  /** The hosts that are part of the system. */
  #sleds: SledInfo[]
  /** Hosts that are in the rack but not part of the system. */
  #spare: SledInfo[]
  #disks: DiskInfo[]
  #switches: SwitchInfo[]
  #ports: PortInfo[]
  #versions = new Map<string, string>()
  /** The versions that the components of hosts and switches are restarting with. */
  #installing = new Map<string, Map<string, string>>()
  #away = new Set<string>()
  /** The speeds of ports whose settings say one, by their id. */
  #speeds = new Map<string, number>()
  #watchers = new Set<() => void>()

  constructor(options: RackOptions) {
    this.#serial = rackSerialOf(options)
    const { spare = 0, switches = usualRack.switches } = options
    const all = makeRack({ ...options, sleds: (options.sleds ?? usualRack.sleds) + spare })
    this.#sleds = all.slice(0, all.length - spare)
    this.#spare = all.slice(all.length - spare)
    this.#disks = this.#sleds.flatMap(disksOf)
    this.#switches = Array.from({ length: switches }, (_, i) => switchOf(this.#serial, i))
    this.#ports = this.#switches.flatMap(portsOf)
  }

  get sleds(): readonly SledInfo[] {
    return this.#sleds
  }

  isAway(id: string): boolean {
    return this.#away.has(id)
  }

  report(load: (sledId: string) => HostLoad): Hardware {
    const isHere = ({ id }: { id: string }) => !this.#away.has(id)
    const sleds = this.#sleds.filter(isHere).map((sled) => ({ ...sled, load: load(sled.id) }))
    const switches = this.#switches.filter(isHere)
    const here = new Set([...sleds, ...switches].map(({ id }) => id))
    return {
      racks:
        sleds.length + switches.length + this.#spare.length > 0
          ? [{ id: rackIdOf(this.#serial), serial: this.#serial }]
          : [],
      sleds,
      uninitialized: this.#spare.map(({ part, serial, revision, rackId, cubby }) => ({
        part,
        serial,
        revision,
        rackId,
        cubby: cubby ?? 0,
      })),
      disks: this.#disks.filter((disk) => isHere(disk) && here.has(disk.sledId)).map((disk) => ({ ...disk })),
      switches: switches.map((one) => ({ ...one })),
      ports: this.#ports
        .filter((port) => isHere(port) && here.has(port.switchId))
        .map((port) => ({ ...port })),
      components: this.#components().filter(({ sledId, switchId }) => here.has(sledId ?? switchId ?? '')),
    }
  }

  #components(): ComponentInfo[] {
    const of = (kind: string, on: { sledId?: string; switchId?: string }): ComponentInfo => {
      const { sledId = null, switchId = null } = on
      const id = stableUuid(`component ${kind} ${sledId ?? switchId}`)
      return { id, kind, sledId, switchId, version: this.#versions.get(id) ?? factoryVersion }
    }
    return [
      ...this.#switches.map(({ id }) => of('switch_os', { switchId: id })),
      ...this.#sleds.flatMap(({ id }) => [of('host_os', { sledId: id }), of('sled_agent', { sledId: id })]),
    ]
  }

  /** The host or switch of a component is away until `end`, and then has the release. False if it has it already. */
  beginInstall(componentId: string, version: string): { end: () => void } | undefined {
    const component = this.#components().find(({ id }) => id === componentId)
    const unit = component?.sledId ?? component?.switchId
    if (!component || unit == null || component.version === version) return undefined
    const known = this.#installing.get(unit)
    if (known) {
      known.set(componentId, version)
      return undefined
    }
    // It fails while it is away for another reason.
    if (this.#away.has(unit)) throw new SledUnreachable(`${unit} does not answer`)
    const versions = new Map([[componentId, version]])
    this.#installing.set(unit, versions)
    this.setAway(unit, true)
    return {
      end: () => {
        this.#installing.delete(unit)
        for (const [id, installed] of versions) this.#versions.set(id, installed)
        this.setAway(unit, false)
      },
    }
  }

  add({ part, serial }: { part: string; serial: string }): SledInfo | null {
    const isIt = (one: SledInfo) => one.part === part && one.serial === serial
    const known = this.#sleds.find(isIt)
    if (known) return { ...known }
    const found = this.#spare.find(isIt)
    if (!found) return null
    this.#spare = this.#spare.filter((one) => one !== found)
    this.#sleds.push(found)
    this.#disks.push(...disksOf(found))
    this.changed()
    return { ...found }
  }

  /** The host comes back as a new one, with new disks. */
  drop(id: string): void {
    const gone = this.#sleds.find((one) => one.id === id)
    if (!gone) return
    this.#sleds = this.#sleds.filter((one) => one !== gone)
    this.#disks = this.#disks.filter((disk) => disk.sledId !== id)
    const again = { ...gone, id: stableUuid(`again ${id}`) }
    // One that does not answer is in no rack.
    if (!this.#away.delete(id)) this.#spare.push(again)
    this.changed()
  }

  /** Sleds, disks, switches and ports vanish and come back by their id. */
  setAway(id: string, isAway: boolean): void {
    if (this.#away.has(id) === isAway) return
    if (isAway) this.#away.add(id)
    else this.#away.delete(id)
    this.changed()
  }

  setHealth(diskId: string, health: DiskInfo['health'], reason: string | null): void {
    this.#disks = this.#disks.map((disk) =>
      disk.id === diskId ? { ...disk, health, healthReason: reason } : disk,
    )
    this.changed()
  }

  setLink(portId: string, state: PortInfo['state']): void {
    this.#ports = this.#ports.map((port) =>
      port.id === portId ? { ...port, state, speed: state === 'up' ? this.#speedOf(portId) : null } : port,
    )
    this.changed()
  }

  /** The speed at which the link of a port is up; null for that of its module. */
  setSpeed(portId: string, speed: number | null): void {
    const before = this.#speedOf(portId)
    if (speed === null) this.#speeds.delete(portId)
    else this.#speeds.set(portId, speed)
    if (this.#speedOf(portId) === before) return
    const port = this.#ports.find(({ id }) => id === portId)
    if (port) this.setLink(portId, port.state)
  }

  #speedOf = (portId: string): number => this.#speeds.get(portId) ?? 100 * gbit

  /** The switches, also those that do not answer. */
  get switches(): readonly SwitchInfo[] {
    return this.#switches
  }

  /** The ports of a switch that are there. */
  portsOf(switchId: string): readonly PortInfo[] {
    return this.#ports.filter((port) => port.switchId === switchId && !this.#away.has(port.id))
  }

  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange)
    return () => void this.#watchers.delete(onChange)
  }

  /** Watchers hear of a change after the call that caused it. */
  changed(): void {
    for (const onChange of this.#watchers)
      void Promise.resolve().then(() => this.#watchers.has(onChange) && onChange())
  }
}

const disksOf = ({ id: sledId }: SledInfo): DiskInfo[] =>
  (['u2', 'm2'] as const).flatMap((formFactor) =>
    Array.from({ length: disksPerSled[formFactor] }, (_, i) => {
      const id = stableUuid(`disk ${sledId} ${formFactor} ${i}`)
      return {
        id,
        sledId,
        ...diskModels[formFactor],
        serial: `AS${id.replaceAll('-', '').slice(0, 10).toUpperCase()}`,
        formFactor,
        wear: derived(`wear ${id}`, 1200) / 100,
        temperature: 31 + derived(`heat ${id}`, 60) / 10,
        health: 'ok' as const,
        healthReason: null,
      }
    }),
  )

function switchOf(rackSerial: string, i: number): SwitchInfo {
  const serial = `PRW2612${String(40 + i).padStart(4, '0')}`
  return {
    id: stableUuid(`switch ${rackSerial} ${serial}`),
    rackId: rackIdOf(rackSerial),
    location: `switch${i}`,
    serial,
    ...switchModel,
    temperature: 38 + i,
  }
}

/** The first ports have a module and lead out of the rack; the others are empty. */
const portsOf = ({ id: switchId }: SwitchInfo): PortInfo[] =>
  Array.from({ length: portsPerSwitch }, (_, i) => {
    const id = stableUuid(`port ${switchId} ${i}`)
    const isUsed = i < uplinks
    return {
      id,
      switchId,
      name: `qsfp${i}`,
      state: isUsed ? ('up' as const) : ('down' as const),
      speed: isUsed ? 100 * gbit : null,
      transceiver: isUsed
        ? {
            vendor: 'Ashlar',
            part: 'AS-Q28-LR4',
            serial: `AQ${id.slice(0, 8).toUpperCase()}`,
            temperature: 41.5,
            voltage: 3.28,
            received: [0.71, 0.69, 0.74, 0.7],
            transmitted: [1.12, 1.09, 1.11, 1.13],
          }
        : null,
    }
  })
