/** A namespace that has the device of an interface as a machine has it, and sets itself up. */
import type { NetworkInterface } from '@purlin/core/ports'
import { devices, macIn } from '../compile/texts.ts'
import { inside, ip, run } from '../kernel/commands.ts'
import type { TestHost } from './two-hosts.ts'

export interface TestGuest {
  zone: string
  /** Takes its address and router without asking for them. */
  setUp(): Promise<void>
  close(): Promise<void>
}

/** Starts one on a host, which has the network of the interface. */
export async function openGuest(
  { kernel, scope }: TestHost,
  { id, mac, ip: address, dhcp }: Pick<NetworkInterface, 'id' | 'mac' | 'ip' | 'dhcp'>,
): Promise<TestGuest> {
  const device = devices.nic(id)
  const zone = `purlin-guest-${scope}-${device}`
  await run('ip', ['netns', 'add', zone])
  await inside(zone, ['sysctl', '-qw', 'net.ipv6.conf.default.accept_dad=0'])
  const end = ['peer', 'name', 'eth0', 'address', macIn(mac), 'netns', zone]
  await ip(null, 'link', 'add', device, 'type', 'veth', ...end)
  await ip(null, 'link', 'set', device, 'addrgenmode', 'none')
  await kernel.connect([id])
  await ip(zone, 'link', 'set', 'eth0', 'up')
  return {
    zone,
    async setUp() {
      const single = address.includes(':') ? `${address}/128` : `${address}/32`
      await ip(zone, 'addr', 'add', single, 'dev', 'eth0')
      await ip(zone, 'route', 'replace', 'default', 'via', dhcp.router, 'dev', 'eth0', 'onlink')
    },
    close: async () => void (await run('ip', ['netns', 'del', zone])),
  }
}
