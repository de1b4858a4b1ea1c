/** The hardware of this host, from /proc and /sys. A value that they do not have is null or a plain word. */
import { createHmac, randomUUID } from 'node:crypto'
import { readdir, readFile, statfs } from 'node:fs/promises'
import { arch, availableParallelism, cpus, freemem, hostname, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Accelerator, NetworkMode } from '@purlin/contract/rules/hardware'
import { systemCodeOf } from '@purlin/databases/error-codes'
import { writeWhole } from '../machine/whole-file.ts'
import type { NamedAddresses } from '@purlin/netns/privileged/networks'
import type { Baseboard, Hardware, HostLink, HostLoad, SledInfo } from '@purlin/core/ports'

/** The part of the memory that guests may use: the host and the server need the rest. */
const forGuests = 0.8
const MiB = 1024 ** 2

/** The ids that this host has in the control plane of a database, and whether it is part of it. */
export interface HostIdentity {
  /** The identity of the database. */
  owner: string
  id: string
  rackId: string
  isPart: boolean
}

const fileOf = (folder: string) => join(folder, 'host.json')

/** Reads the identity, or makes one. Throws if there is one that cannot be read: its machines would be lost. */
export async function identityIn(
  folder: string,
  { owner, isPart }: Pick<HostIdentity, 'owner' | 'isPart'>,
): Promise<HostIdentity> {
  const text = await readFile(fileOf(folder), 'utf8').catch((error: unknown) => {
    if (systemCodeOf(error) !== 'ENOENT') throw error
  })
  if (text !== undefined) return JSON.parse(text) as HostIdentity
  const identity = { owner, id: randomUUID(), rackId: randomUUID(), isPart }
  await saveIdentity(folder, identity)
  return identity
}

export const saveIdentity = (folder: string, identity: HostIdentity): Promise<void> =>
  writeWhole(fileOf(folder), JSON.stringify(identity))

const read = async (path: string): Promise<string | undefined> => {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text?.trim() || undefined
}
const dmi = (name: string) => read(`/sys/class/dmi/id/${name}`)

/** The id of the system is confidential: it is shown as a number that is made of it for this purpose only. */
async function systemId(): Promise<string | undefined> {
  const id = await read('/etc/machine-id')
  return id && createHmac('sha256', id).update('purlin: serial number of a host').digest('hex').slice(0, 32)
}

const longestSerial = 40

/**
 * The board of the host. Without a serial number that this user may read, it is made of the id of the system. One that has joined
 * adds its id: many boards have the same number, such as 'Default string', and machines that were copied the same system.
 */
export async function baseboard(hostId?: string): Promise<Baseboard> {
  const own = (await dmi('board_serial')) ?? (await systemId()) ?? hostname()
  const serial = hostId === undefined ? own : `${own.slice(0, longestSerial)}-${hostId.slice(-8)}`
  return { part: (await dmi('board_name')) ?? arch(), serial, revision: 0 }
}

export interface Around {
  identity: HostIdentity
  accelerator: Accelerator
  networkMode: NetworkMode
  /** Undefined if its networks do not say. */
  named: NamedAddresses | undefined
  /** of the bytes of disks */
  blobs: string
  hostId: string | undefined
}

/** The host as a rack with one host and no switches. */
export async function inventoryOf({
  identity,
  accelerator,
  networkMode,
  named,
  blobs,
  hostId,
}: Around): Promise<Hardware> {
  const { id, rackId, isPart } = identity
  const board = await baseboard(hostId)
  const rack = { id: rackId, serial: board.serial }
  const none = { disks: [], switches: [], ports: [], components: [] }
  if (!isPart) {
    return { racks: [rack], sleds: [], uninitialized: [{ ...board, rackId, cubby: 0 }], ...none }
  }
  const room = await roomIn(blobs)
  const sled: SledInfo = {
    id,
    ...board,
    rackId,
    cubby: null,
    vendor: (await dmi('sys_vendor')) ?? 'unknown',
    model: (await dmi('product_name')) ?? 'unknown',
    cpuModel: cpus()[0]?.model.trim() ?? 'unknown',
    cpuFamily: 'other',
    accelerator,
    networkMode,
    ...(named ? { external: named.external } : {}),
    ...(named?.tunnelAddress ? { tunnelAddress: named.tunnelAddress } : {}),
    usableHardwareThreads: availableParallelism(),
    usablePhysicalRam: totalmem(),
    reservoirSize: Math.floor((totalmem() * forGuests) / MiB) * MiB,
    temperature: null,
    links: await links(),
    ...(room ? { sharedStorage: room.used + room.free } : {}),
    load: room ? await loadOf(room) : null,
  }
  return { racks: [rack], sleds: [sled], uninitialized: [], ...none }
}

/** The network interfaces that are devices, and no bridges or tunnels. */
async function links(): Promise<HostLink[]> {
  const names = await readdir('/sys/class/net').catch(() => [])
  const all = await Promise.all(
    names.map(async (name): Promise<HostLink[]> => {
      const of = (file: string) => read(`/sys/class/net/${name}/${file}`)
      if ((await of('device/uevent')) === undefined) return []
      const isUp = (await of('operstate')) === 'up'
      const megabits = Number((await of('speed')) ?? -1)
      return [{ name, state: isUp ? 'up' : 'down', speed: isUp && megabits > 0 ? megabits * 1e6 : null }]
    }),
  )
  return all.flat()
}

/** The file system of a folder in bytes, without what is kept for root; undefined if it cannot be read. */
async function roomIn(folder: string): Promise<{ used: number; free: number } | undefined> {
  const room = await statfs(folder).catch(() => undefined)
  return room && { used: (room.blocks - room.bfree) * room.bsize, free: room.bavail * room.bsize }
}

async function loadOf({ used }: { used: number }): Promise<HostLoad> {
  const available = /^MemAvailable:\s+(\d+) kB$/m.exec((await read('/proc/meminfo')) ?? '')?.[1]
  const free = available === undefined ? freemem() : Number(available) * 1024
  return {
    threads: loadavg()[0] ?? 0,
    memory: totalmem() - free,
    storage: used,
  }
}
