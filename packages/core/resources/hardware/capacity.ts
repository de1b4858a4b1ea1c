/** The resources of sleds for instances: how much there is, is reserved, and is used. */
import { fleetId } from '#/db/rows/fleet.ts'
import type { SledTable, Tx } from '#/db/tables.ts'
import { detailsOf } from './details.ts'
import { freeOn, sledsPresent } from './sled-rows.ts'

/** One resource of a sled: bytes, or hardware threads. `used` is null if the sled cannot say. */
export interface Share {
  usable: number
  reserved: number
  used: number | null
}
export interface Capacity {
  threads: Share
  memory: Share
  storage: Share
}

/** Bytes that a sled shares with others; undefined for one with its own disks. */
const sharedStorageOf = (row: Pick<SledTable, 'hostJson'>): number | undefined =>
  detailsOf(row)?.sharedStorage

export const isSharing = (row: SledTable): boolean => sharedStorageOf(row) !== undefined

/** The capacity of sleds, by id. */
export async function capacityOf(tx: Tx, sleds: readonly SledTable[]): Promise<Map<string, Capacity>> {
  const ids = sleds.map(({ id }) => id)
  const [sizes, promised] = [await sizesOf(tx, ids), await promisedOn(tx, ids)]
  return new Map(
    sleds.map((row) => {
      const load = detailsOf(row)?.load ?? null
      return [
        row.id,
        {
          threads: {
            usable: row.usableHardwareThreads,
            reserved: row.usedThreads,
            used: load && load.threads,
          },
          memory: { usable: row.reservoirSize, reserved: row.usedMemory, used: load && load.memory },
          storage: {
            usable: sharedStorageOf(row) ?? sizes.get(row.id) ?? 0,
            reserved: promised.get(row.id) ?? 0,
            used: load && load.storage,
          },
        },
      ]
    }),
  )
}

/** Bytes of the disks of sleds that hold disks of instances. */
async function sizesOf(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('physicalDisk')
    .select((eb) => ['sledId', eb.fn.sum<number | string>('size').as('size')])
    .where('sledId', 'in', ids)
    .where('formFactor', '=', 'u2')
    .where('policy', '=', 'in_service')
    .where('missingSince', 'is', null)
    .groupBy('sledId')
    .execute()
  return new Map(rows.map(({ sledId, size }) => [sledId, Number(size)]))
}

/** Bytes of the disks of the instances on sleds. */
async function promisedOn(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('instance')
    .innerJoin('disk', 'disk.instanceId', 'instance.id')
    .select((eb) => ['instance.sledId', eb.fn.sum<number | string>('disk.size').as('size')])
    .where('instance.sledId', 'in', ids)
    .groupBy('instance.sledId')
    .execute()
  return new Map(rows.map(({ sledId, size }) => [sledId ?? '', Number(size)]))
}

/** The bytes of all disks and snapshots of the fleet, also of disks that are on no sled because they are not in use. */
export async function provisionedStorage(tx: Tx): Promise<number> {
  const usage = await tx.selectFrom('usage').select('storage').where('id', '=', fleetId).executeTakeFirst()
  return Number(usage?.storage ?? 0)
}

/**
 * The bytes that the storage of the fleet can still take: of sleds with disks, their size without all that is provisioned, and of the folder
 * that others share, what is free in it, because its files take no more than guests wrote. Undefined if a sled cannot say.
 */
export async function storageLeft(tx: Tx): Promise<number | undefined> {
  const present = await sledsPresent(tx).selectAll().execute()
  const { own = [], sharing = [] } = Object.groupBy(present, (row) => (isSharing(row) ? 'sharing' : 'own'))
  const sizes = await sizesOf(
    tx,
    own.map(({ id }) => id),
  )
  if (own.some((row) => !sizes.has(row.id) && detailsOf(row)?.load == null)) return undefined
  const ofDisks = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const folder = freeInFolder(sharing)
  return folder === undefined
    ? undefined
    : Math.max(0, ofDisks - (own.length > 0 ? await provisionedStorage(tx) : 0)) + folder
}

/** The free bytes of the folder of these sleds, by the fullest report; undefined if one has none. */
function freeInFolder(sharing: readonly SledTable[]): number | undefined {
  let free: number | undefined
  for (const row of sharing) {
    const load = detailsOf(row)?.load
    if (!load) return undefined
    free = Math.min(free ?? Infinity, Math.max(0, (sharedStorageOf(row) ?? 0) - load.storage))
  }
  return free ?? 0
}

/** vCPUs, and bytes of memory. */
export interface Room {
  cpus: number
  memory: number
}

/** How many times a size goes into the room. */
export const timesIn = (room: Room, { cpus, memory }: Room): number =>
  Math.max(0, Math.min(Math.floor(room.cpus / cpus), Math.floor(room.memory / memory)))

/** How many more instances of a size placement would accept on sleds that take new ones, if only that size were started. */
export const fitOn = (open: readonly SledTable[], size: Room): number =>
  open.reduce((all, sled) => {
    const { freeThreads, freeMemory } = freeOn(sled)
    return all + timesIn({ cpus: freeThreads, memory: freeMemory }, size)
  }, 0)

/** The room for instances on the sleds that take new ones: on all of them together, and the most on one. */
export function roomOn(rows: readonly SledTable[]): { all: Room; largest: Room } {
  const rooms = rows.map((row) => {
    const { freeThreads, freeMemory } = freeOn(row)
    return { cpus: Math.max(0, freeThreads), memory: Math.max(0, freeMemory) }
  })
  const by = (add: (a: number, b: number) => number): Room =>
    rooms.reduce((a, b) => ({ cpus: add(a.cpus, b.cpus), memory: add(a.memory, b.memory) }), {
      cpus: 0,
      memory: 0,
    })
  return { all: by((a, b) => a + b), largest: by(Math.max) }
}
