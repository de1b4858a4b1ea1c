import { linkSpeeds } from '@purlin/contract/rules/networking'
import {
  SwitchRefused,
  SwitchUnreachable,
  type Clock,
  type SwitchConfiguration,
  type SwitchDriver,
} from '@purlin/core/ports'
import type { SimulatedHardware } from '../hardware.ts'
import { SimulatedSwitch, type Router } from './simulated-switch.ts'

/** The switches of a simulated rack, with routers around them, and failures of both. Nothing is persistent. */
export class SimulatedSwitches implements SwitchDriver {
  readonly #hardware: SimulatedHardware
  readonly #clock: Clock
  readonly #routers = new Map<string, Router>()
  readonly #refusals = new Map<string, string>()
  readonly #switches: ReadonlyMap<string, SimulatedSwitch>

  constructor(hardware: SimulatedHardware, clock: Clock) {
    this.#hardware = hardware
    this.#clock = clock
    this.#switches = new Map(
      hardware.switches.map(({ id }) => [
        id,
        new SimulatedSwitch(id, {
          isUp: (port) =>
            !hardware.isAway(id) &&
            hardware.portsOf(id).some(({ name, state }) => name === port && state === 'up'),
          routerAt: (address) => this.#routers.get(address) ?? {},
        }),
      ]),
    )
    hardware.watch(() => this.#look())
  }

  async configure(switchId: string, configuration: SwitchConfiguration) {
    const one = this.#reachable(switchId)
    if (one.configuration && one.configuration.version >= configuration.version) return
    const refusal = this.#refusals.get(switchId)
    if (refusal !== undefined) throw new SwitchRefused(refusal)
    const ports = new Map(this.#hardware.portsOf(switchId).map((port) => [port.name, port]))
    for (const { name } of configuration.ports)
      if (!ports.has(name)) throw new SwitchRefused(`the switch has no port ${name}`)
    one.configure(configuration, this.#clock.now())
    for (const { id, name } of ports.values()) {
      const link = configuration.ports.find((port) => port.name === name)?.links[0]
      const speed = link ? linkSpeeds[link.speed] * 1e9 : 0
      this.#hardware.setSpeed(id, speed === 0 ? null : speed)
    }
  }

  async version(switchId: string) {
    return this.#reachable(switchId).configuration?.version ?? null
  }

  async status(switchId: string) {
    return this.#reachable(switchId).status(this.#clock.now())
  }

  /** Changes how a router is set up: see `Router`. Without anything given, it is as the switches expect it again. */
  setRouter(address: string, router: Router): void {
    this.#routers.set(address, router)
    this.#look()
  }

  /** The switch refuses further configurations for this reason; null: it accepts them again. */
  refuse(switchId: string, reason: string | null): void {
    if (reason === null) this.#refusals.delete(switchId)
    else this.#refusals.set(switchId, reason)
  }

  /** The switch loses its configuration, as after a loss of power. */
  restart(switchId: string): void {
    this.#switches.get(switchId)?.forget()
  }

  /** True if pings from outside to the addresses of the control plane are answered by way of a switch. */
  answersPings(switchId: string): boolean {
    return (
      !this.#hardware.isAway(switchId) && this.#switches.get(switchId)?.configuration?.answersPings === true
    )
  }

  /** A switch that is away has no power. */
  #look(): void {
    for (const [id, one] of this.#switches)
      if (this.#hardware.isAway(id)) one.forget()
      else one.face(this.#clock.now())
  }

  #reachable(switchId: string): SimulatedSwitch {
    const one = this.#switches.get(switchId)
    if (!one || this.#hardware.isAway(switchId))
      throw new SwitchUnreachable(`switch ${switchId} does not answer`)
    return one
  }
}
