/** Two hosts on one machine, each with an outside that has an address on the link between them. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SledNetwork } from '@purlin/core/ports'
import { devices } from '../compile/texts.ts'
import { ip, run } from '../kernel/commands.ts'
import { KernelNetworks } from '../kernel/networks.ts'

export interface TestHost {
  /** The id of its sled. */
  sledId: string
  /** at which it takes packets of the other one */
  address: string
  scope: string
  outside: string
  kernel: KernelNetworks
  /** The namespace of a probe on it. */
  zone: (nicId: string) => string
  /** Takes over what is there, as the next process does. */
  reopen: () => Promise<void>
}

/** External addresses of guests on the second host that the first one leads. */
export type Led = readonly { ip: string; isShared: boolean }[]

export interface TwoHosts {
  hosts: [TestHost, TestHost]
  /** A third end of the link, which is no host: its namespace. */
  stranger: string
  /** Gives each host the part of a network that concerns it. */
  set(network: SledNetwork, sledOf: (nicId: string) => string, led?: Led): Promise<void>
  close(): Promise<void>
}

/** The addresses on the link. */
export const linkAddresses = { first: '192.0.2.11', second: '192.0.2.12', stranger: '192.0.2.13' } as const

/** `name` is different for each test file that runs at a time. */
export async function openTwoHosts(name: string): Promise<TwoHosts> {
  const link = `purlin-link-${name}`
  const stranger = `purlin-other-${name}`
  const folder = mkdtempSync(join(tmpdir(), 'purlin-hosts-'))
  // The names in it are read by another user.
  chmodSync(folder, 0o711)
  const outsideOf = (sledId: string) => `purlin-out-${sledId}-${name}`
  await run('ip', ['netns', 'add', link])
  await ip(link, 'link', 'add', 'name', 'bridge0', 'type', 'bridge')
  await ip(link, 'link', 'set', 'bridge0', 'up')
  const attach = async (namespace: string, address: string) => {
    await run('ip', ['netns', 'add', namespace])
    await ip(namespace, 'link', 'set', 'lo', 'up')
    const port = `p${address.split('.').at(-1)}`
    await ip(link, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    await ip(link, 'link', 'set', port, 'master', 'bridge0', 'up')
    await ip(namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    await ip(namespace, 'link', 'set', 'eth0', 'up')
  }
  const openHost = async (sledId: 'first' | 'second'): Promise<TestHost> => {
    const outside = outsideOf(sledId)
    const address = linkAddresses[sledId]
    await attach(outside, address)
    const scope = `${sledId[0]}${name}`.slice(0, 8)
    const open = () =>
      KernelNetworks.open({
        scope,
        folder: join(folder, sledId),
        owner: 0,
        resolvers: [linkAddresses.stranger],
        external: null,
        reach: ['0.0.0.0/0'],
        tunnelAddress: address,
        outside,
      })
    const host: TestHost = {
      sledId,
      address,
      scope,
      outside,
      kernel: await open(),
      zone: (nicId) => `purlin-${scope}-${devices.nic(nicId)}`,
      reopen: async () => void (host.kernel = await open()),
    }
    return host
  }
  const hosts: TwoHosts['hosts'] = [await openHost('first'), await openHost('second')]
  await attach(stranger, linkAddresses.stranger)
  return {
    hosts,
    stranger,
    async set(network, sledOf, led = []) {
      const tunnels = hosts.map(({ sledId, address }) => ({ sledId, address }))
      const peers = network.interfaces.map(({ id, owner, ip: address, mac, transitIps, dhcp }) => ({
        ip: address,
        mac,
        sledId: sledOf(id),
        transitIps,
        ...(owner === 'instance' ? { hostname: dhcp.hostname } : {}),
      }))
      for (const { sledId, kernel } of hosts) {
        const interfaces = network.interfaces.filter(({ id }) => sledOf(id) === sledId)
        const isConcerned = interfaces.length > 0 || (sledId === 'first' && led.length > 0)
        const holds = async () => (await kernel.held()).some(({ vpcId }) => vpcId === network.vpcId)
        if (!isConcerned && !(await holds())) continue
        const others = tunnels.filter((one) => one.sledId !== sledId)
        const ways =
          sledId === 'first'
            ? { led: led.map((one) => ({ ...one, address: linkAddresses.second })) }
            : { away: led.map(({ ip: address }) => ({ ip: address, address: linkAddresses.first })) }
        await kernel.set({ ...network, peers, tunnels: others, interfaces, ...ways })
      }
    },
    async close() {
      for (const { kernel } of hosts) await kernel.clear()
      for (const namespace of [...hosts.map(({ outside }) => outside), stranger, link])
        await run('ip', ['netns', 'del', namespace])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
