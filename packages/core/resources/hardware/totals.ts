/** The capacity of racks and of the fleet, how many instances still fit, and how long it will last. */
import { estimatedCapacity } from '@purlin/contract/rules/capacity'
import { permit } from '#/auth/resolve.ts'
import type { Family } from '#/context.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import type { SledTable, Tx } from '#/db/tables.ts'
import { trendOf } from '#/resources/silos/usage-trends.ts'
import { sizesOfFleet } from '#/resources/instances/sizes/machine-sizes.ts'
import { sledsPresent } from './sled-rows.ts'
import { capacityOf, fitOn, isSharing, provisionedStorage, type Capacity, type Share } from './capacity.ts'

const none: Share = { usable: 0, reserved: 0, used: 0 }
const plus = (a: Share, b: Share): Share => ({
  usable: a.usable + b.usable,
  reserved: a.reserved + b.reserved,
  used: a.used === null || b.used === null ? null : a.used + b.used,
})

/** One folder that several sleds share. */
const shared = (a: Share, b: Share): Share => ({
  ...plus(a, b),
  usable: Math.max(a.usable, b.usable),
  used: a.used === null || b.used === null ? null : Math.max(a.used, b.used),
})

/** The sum over sleds, in which the storage that they share counts once. */
function total(sleds: readonly SledTable[], bySled: ReadonlyMap<string, Capacity>): Capacity {
  const of = (resource: keyof Capacity, some = sleds, add = plus) =>
    some.flatMap(({ id }) => bySled.get(id)?.[resource] ?? []).reduce(add, none)
  const { own = [], sharing = [] } = Object.groupBy(sleds, (row) => (isSharing(row) ? 'sharing' : 'own'))
  const storage = plus(of('storage', own), of('storage', sharing, shared))
  return { threads: of('threads'), memory: of('memory'), storage }
}

export const capacity: Family<'capacityView'> = {
  async capacityView(ctx) {
    permit(ctx)
    const { tx } = ctx
    const sleds = await sledsPresent(tx).selectAll().orderBy('id').execute()
    const bySled = await capacityOf(tx, sleds)
    const onSleds = total(sleds, bySled)
    // A disk that is not in use is on no sled, and takes its room.
    const all = { ...onSleds, storage: { ...onSleds.storage, reserved: await provisionedStorage(tx) } }
    const isShared = sleds.length > 0 && sleds.every(isSharing)
    const racks = await tx.selectFrom('rack').select(['id', 'serial']).orderBy('id').execute()
    return {
      ...all,
      racks: racks.map(({ id, serial }) => ({
        id,
        serial,
        ...total(
          sleds.filter(({ rackId }) => rackId === id),
          bySled,
        ),
      })),
      estimate: estimatedCapacity(sleds, isShared ? all.storage.usable : undefined),
      fits: await fitsOn(tx, sleds),
      trends: {
        threads: await trendOf(ctx, { id: fleetId, metric: 'cpus_provisioned', left: leftOf(all.threads) }),
        memory: await trendOf(ctx, { id: fleetId, metric: 'ram_provisioned', left: leftOf(all.memory) }),
        storage: await trendOf(ctx, {
          id: fleetId,
          metric: 'virtual_disk_space_provisioned',
          left: leftOf(all.storage),
        }),
      },
    }
  },
}

const leftOf = ({ usable, reserved }: Share): number => usable - reserved

/** How many more instances of each size placement would accept, if only that size were started. */
async function fitsOn(tx: Tx, sleds: readonly SledTable[]) {
  const open = sleds.filter(({ provisionPolicy }) => provisionPolicy === 'provisionable')
  return (await sizesOfFleet(tx)).map((size) => ({
    ...size,
    count: fitOn(open, { cpus: size.ncpus, memory: size.memory }),
  }))
}
