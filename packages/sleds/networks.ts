import {
  arrive,
  leave,
  type NetworkInterface,
  type Packet,
  type SledNetwork,
  type VmAddress,
} from '@purlin/core/ports'

/** The networks that were pushed to simulated sleds, and what they do with packets. */
export class SimulatedNetworks {
  /** By sled and VPC. One without interfaces is kept for its version. */
  #pushed = new Map<string, Map<string, SledNetwork>>()

  set(sledId: string, network: SledNetwork): void {
    const networks = this.#pushed.get(sledId) ?? new Map<string, SledNetwork>()
    this.#pushed.set(sledId, networks)
    const { vpcId, version, interfaces } = network
    if (networks.get(vpcId)?.version === version) return
    const isEmpty = interfaces.length === 0
    networks.set(vpcId, isEmpty ? { ...network, rules: [], routeSets: [], peers: [] } : network)
  }

  held(sledId: string): { vpcId: string; version: number }[] {
    const networks = [...(this.#pushed.get(sledId)?.values() ?? [])]
    return networks
      .filter(({ interfaces }) => interfaces.length > 0)
      .map(({ vpcId, version }) => ({ vpcId, version }))
  }

  forget(sledId: string): void {
    this.#pushed.delete(sledId)
  }

  carries(nicId: string, packet: Packet): boolean {
    const from = this.#find(({ id }) => id === nicId)
    if (!from) return false
    const departure = leave(from.network, from.nic, packet)
    if (departure.type !== 'inside') return departure.type === 'outside'
    const { ip, sledId } = departure.to
    const { vpcId } = from.network
    const to = this.#find((nic, on, at) => nic.ip === ip && at === sledId && on.vpcId === vpcId)
    return to !== undefined && isAllowed(arrive(to.network, to.nic, { ...packet, inside: true }))
  }

  admits(nicId: string, packet: Packet): boolean {
    const to = this.#find(({ id }) => id === nicId)
    return to !== undefined && isAllowed(arrive(to.network, to.nic, { ...packet, inside: false }))
  }

  interfaceOf(nicId: string): NetworkInterface | undefined {
    return this.#find(({ id }) => id === nicId)?.nic
  }

  externalIps(nicId: string): VmAddress[] {
    const { inbound = [], outbound = [] } = this.interfaceOf(nicId)?.nat ?? {}
    const all = [...inbound, ...outbound.flatMap(({ addresses }) => addresses)]
    return [...new Map(all.map((one) => [`${one.ip} ${one.firstPort}`, one])).values()]
  }

  #find(
    isIt: (nic: NetworkInterface, network: SledNetwork, sledId: string) => boolean,
  ): { nic: NetworkInterface; network: SledNetwork } | undefined {
    for (const [sledId, networks] of this.#pushed)
      for (const network of networks.values()) {
        const nic = network.interfaces.find((one) => isIt(one, network, sledId))
        if (nic) return { nic, network }
      }
    return undefined
  }
}

const isAllowed = (verdict: ReturnType<typeof arrive>): boolean =>
  typeof verdict === 'object' && verdict.action === 'allow'
