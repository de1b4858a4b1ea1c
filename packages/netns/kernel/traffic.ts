/** The counters of the devices of guests. */
import { devices } from '../compile/texts.ts'
import type { NicTraffic, PacketCounters } from '../privileged/networks.ts'
import { ip, type Namespace } from './commands.ts'

interface Link {
  ifname: string
  stats64: { rx: PacketCounters; tx: PacketCounters }
}

/** The traffic of interfaces in a namespace: a guest has sent what its device has received. */
export async function trafficOf(namespace: Namespace, nicIds: readonly string[]): Promise<NicTraffic[]> {
  const links = JSON.parse(await ip(namespace, '-j', '-s', 'link', 'show')) as Link[]
  const byName = new Map(links.map((link) => [link.ifname, link.stats64]))
  return nicIds.flatMap((nicId) => {
    const found = byName.get(devices.nic(nicId))
    return found ? [{ nicId, sent: plain(found.rx), received: plain(found.tx) }] : []
  })
}

const plain = ({ bytes, packets, errors, dropped }: PacketCounters): PacketCounters => ({
  bytes,
  packets,
  errors,
  dropped,
})
