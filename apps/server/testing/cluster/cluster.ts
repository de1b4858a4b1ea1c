/** Two servers and two hosts as processes, with wires between them and to the database that can be cut. */
import { joinedHosts } from '@purlin/core/testing/access/joined-hosts'
import { createJoinedFleet } from '@purlin/remote/joined'
import { noSleds } from '@purlin/remote/no-sleds'
import { systemClock } from '@purlin/server/process/ports'
import { freePort } from '../postgres.ts'
import type { Api } from '../requests.ts'
import { makeInstances, openSite, readNow, until, type Site } from '../faults/site.ts'
import { endProcessesOf } from './machines.ts'
import { closeSledsOfServers, startHostProcess, type HostProcess } from './hosts.ts'
import { openWire, type Wire } from './wire.ts'

/** A host, and the wire between it and the servers. */
export interface WiredHost extends HostProcess {
  wire: Wire
  /** The way of machines to it from the other host. Simulated ones are not sent. */
  arrivals?: Wire
}

export interface Cluster {
  site: Site
  hosts: [WiredHost, WiredHost]
  /** Between the server `other` and the database. */
  databaseWire: Wire
  stop(): Promise<void>
}

const sledsOfHost = 2
/** Servers reach hosts at another address of this machine than where they listen. */
const [inside, wired] = ['127.0.0.1', '127.0.0.2']

/** Starts the cluster, with that many simulated instances on its hosts. */
export async function startCluster(instances: number): Promise<Cluster> {
  const cluster = await openCluster(({ apis }) => addHost(apis.first, { sleds: sledsOfHost }))
  await makeInstances(cluster.site.apis.first, instances)
  return cluster
}

/** Starts the cluster, whose hosts have a sled for real machines each. */
export async function startRealCluster(): Promise<Cluster> {
  const cluster = await openCluster(async ({ apis, folder }) => {
    const port = await freePort()
    const arrivals = await openWire({ host: wired, port }, { host: inside, port })
    const machines = ['--machines', 'qemu', '--disks', folder, '--moves-port', String(port)]
    return { ...(await addHost(apis.first, { sleds: 1, machines })), arrivals }
  })
  const endMachines = () => cluster.hosts.forEach(({ folder }) => endProcessesOf(folder))
  process.once('exit', endMachines)
  return {
    ...cluster,
    stop: async () => {
      process.off('exit', endMachines)
      endMachines()
      await cluster.stop()
    },
  }
}

async function openCluster(add: (site: Site) => Promise<WiredHost>): Promise<Cluster> {
  let databaseWire: Wire | undefined
  const site = await openSite({
    databaseOf: async (name, url) => {
      if (name !== 'other') return url
      const { hostname, port } = new URL(url)
      databaseWire ??= await openWire({ host: inside, port: 0 }, { host: hostname, port: Number(port) })
      return url.replace(`:${port}`, `:${databaseWire.port}`)
    },
  })
  await closeSledsOfServers(site.apis.first)
  const hosts: Cluster['hosts'] = [await add(site), await add(site)]
  if (!databaseWire) throw new Error('a server has no database')
  const wires = [databaseWire, ...hosts.flatMap(({ wire, arrivals }) => [wire, arrivals ?? []].flat())]
  return {
    site,
    hosts,
    databaseWire,
    stop: async () => {
      for (const wire of wires) wire.close()
      await site.stop()
    },
  }
}

async function addHost(api: Api, how: { sleds: number; machines?: readonly string[] }): Promise<WiredHost> {
  let wire: Wire | undefined
  const host = await startHostProcess(api, {
    ...how,
    address: wired,
    onReady: async (port) => (wire = await openWire({ host: wired, port }, { host: inside, port })),
  })
  if (!wire) throw new Error('a host is never ready')
  return Object.assign(host, { wire })
}

/** Asks the hosts themselves. Returns the machines that run more than once, one line each. */
export async function runningTwice({ site }: Cluster): Promise<string[]> {
  const { joined, sleds } = await readNow(site, async (tx) => ({
    joined: await joinedHosts(tx),
    sleds: await tx.selectFrom('sled').select('id').where('hostId', 'is not', null).execute(),
  }))
  const log = { warn: () => undefined }
  const fleet = createJoinedFleet({ local: noSleds('this is a test'), clock: systemClock, log })
  try {
    if (joined) fleet.setJoined?.(joined)
    const found = await Promise.all(sleds.map(({ id }) => machinesOf(fleet, id)))
    const running = found.flat().filter(({ state }) => state === 'running')
    const times = Map.groupBy(running, ({ id }) => id)
    return [...times].flatMap(([id, all]) => (all.length > 1 ? [`${id} runs ${all.length} times`] : []))
  } finally {
    fleet.close()
  }
}

/** A host that was just started or mended answers soon. */
async function machinesOf(fleet: ReturnType<typeof createJoinedFleet>, sledId: string) {
  let found: Awaited<ReturnType<typeof fleet.machines>> = []
  await until(`the sled ${sledId} answers`, async () => {
    found = await fleet.machines(sledId)
    return true
  })
  return found
}
