/** The networks of VPCs on this host: enforced by the kernel, or only remembered. */
import { SledUnreachable, type Log, type SledNetwork } from '@purlin/core/ports'
import { messageOf } from '@purlin/databases/error-codes'
import type { HostNetworks, NamedAddresses } from '@purlin/netns/privileged/networks'

export class NetworksOfHost {
  #network: HostNetworks | string
  #log: Log
  #named: NamedAddresses | undefined
  #remembered = new Map<string, { version: number; isEmpty: boolean }>()

  constructor(network: HostNetworks | string, log: Log) {
    this.#network = network
    this.#log = log
  }

  /** Throws SledUnreachable if networks cannot be made now: machines start later. */
  async require(): Promise<void> {
    if (typeof this.#network !== 'string') await this.#network.held()
  }

  /** Throws SledUnreachable. */
  async set(pushed: SledNetwork): Promise<void> {
    if (typeof this.#network !== 'string') return this.#enforce(this.#network, pushed)
    const { vpcId, version, interfaces } = pushed
    if (this.#remembered.get(vpcId)?.version === version) return
    this.#remembered.set(vpcId, { version, isEmpty: interfaces.length === 0 })
  }

  /** One network that the kernel does not take must not keep the others of its round from theirs. */
  async #enforce(networks: HostNetworks, pushed: SledNetwork): Promise<void> {
    try {
      await networks.set(pushed)
    } catch (error) {
      const reason = messageOf(error)
      this.#log.warn({ vpc: pushed.vpcId, reason }, 'the network of a VPC cannot be enforced')
      throw new SledUnreachable(`the network of VPC ${pushed.vpcId} is not enforced: ${reason}`)
    }
  }

  async held(): Promise<{ vpcId: string; version: number }[]> {
    if (typeof this.#network !== 'string') return this.#network.held()
    return [...this.#remembered].flatMap(([vpcId, { version, isEmpty }]) =>
      isEmpty ? [] : [{ vpcId, version }],
    )
  }

  /** The addresses that the operator of this host has named, as far as the networks have ever said. */
  async named(): Promise<NamedAddresses | undefined> {
    if (typeof this.#network === 'string') return undefined
    this.#named = await this.#network.named().catch(() => this.#named)
    return this.#named
  }

  async clear(): Promise<void> {
    if (typeof this.#network !== 'string') await this.#network.clear()
  }
}
