/** The room for new instances and disks in a silo: the smaller of the rest of its quota and the free hardware. */
import type { Tx } from '#/db/tables.ts'
import { fitOn, roomOn, storageLeft, timesIn, type Room } from '../hardware/capacity.ts'
import { sledsOpen } from '../hardware/sled-rows.ts'
import type { Amounts, QuotaAmounts } from './quotas.ts'

interface Utilization {
  used: Required<Amounts>
  quota: QuotaAmounts
}

/** Never more than the quota leaves: the size of the fleet is not for everyone. */
export async function roomLeft({ tx }: { tx: Tx }, { used, quota }: Utilization) {
  const open = await sledsOpen(tx).selectAll().execute()
  const leftOf = (key: keyof Amounts) => Math.max(0, Number(quota[key]) - used[key])
  const left: Room = { cpus: leftOf('cpus'), memory: leftOf('memory') }
  const within = (room: Room): Room => ({
    cpus: Math.min(room.cpus, left.cpus),
    memory: Math.min(room.memory, left.memory),
  })
  const { all, largest } = roomOn(open)
  const storage = await storageLeft(tx)
  const ofStorage = storage === undefined ? {} : { storage: Math.min(storage, leftOf('storage')) }
  return {
    room: { placeable: { ...within(all), ...ofStorage }, largest: within(largest) },
    /** The number of instances of a size that still fit. */
    fits: (size: Room): number => Math.min(fitOn(open, size), timesIn(left, size)),
  }
}
