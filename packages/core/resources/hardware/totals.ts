/** The capacity of racks and of the fleet, how many instances still fit, and how long it will last. */
import { estimatedCapacity } from '@purlin/contract/rules/capacity'
import { together } from '#/concurrency/together.ts'
import { permit } from '#/auth/resolve.ts'
import type { Family } from '#/context.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import type { SledTable, Tx, UsageSampleTable } from '#/db/tables.ts'
import { sizesOfFleet } from '#/resources/instances/sizes/machine-sizes.ts'
import { sledsPresent } from './sled-rows.ts'
import { capacityOf, fitOn, sharedStorageOf, type Capacity, type Share } from './capacity.ts'

const isSharing = (row: SledTable): boolean => sharedStorageOf(row) !== undefined

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
    const { tx, now } = ctx
    const sleds = await sledsPresent(tx).selectAll().orderBy('id').execute()
    const bySled = await capacityOf(tx, sleds)
    const all = total(sleds, bySled)
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
        threads: trend(all.threads, await history(tx, 'cpus_provisioned', now)),
        memory: trend(all.memory, await history(tx, 'ram_provisioned', now)),
        storage: trend(all.storage, await history(tx, 'virtual_disk_space_provisioned', now)),
      },
    }
  },
}

/** How many more instances of each size placement would accept, if only that size were started. */
async function fitsOn(tx: Tx, sleds: readonly SledTable[]) {
  const open = sleds.filter(({ provisionPolicy }) => provisionPolicy === 'provisionable')
  return (await sizesOfFleet(tx)).map((size) => ({
    ...size,
    count: fitOn(open, { cpus: size.ncpus, memory: size.memory }),
  }))
}

const dayMs = 24 * 3_600_000
const days = 30
interface Point {
  /** days from now, negative */
  day: number
  value: number
}

/** The provisioned amount of the fleet at the same time of each of the last 30 days, as far as it is known. */
async function history(tx: Tx, metric: UsageSampleTable['metric'], now: number): Promise<Point[]> {
  const at = Array.from({ length: days + 1 }, (_, i) => i - days)
  const values = await together(
    at.map(async (day) => {
      const row = await tx
        .selectFrom('usageSample')
        .select('value')
        .where('id', '=', fleetId)
        .where('metric', '=', metric)
        .where('at', '<=', now + day * dayMs)
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row ? [{ day, value: Number(row.value) }] : []
    }),
  )
  return values.flat()
}

/** The slope of the line through the points with the least squares, and when it reaches the capacity. */
function trend({ usable, reserved }: Share, points: readonly Point[]) {
  if (points.length < 2) return { perDay: null, daysUntilFull: null }
  const mean = (of: (point: Point) => number) => points.reduce((sum, one) => sum + of(one), 0) / points.length
  const [meanDay, meanValue] = [mean(({ day }) => day), mean(({ value }) => value)]
  const perDay =
    mean(({ day, value }) => (day - meanDay) * (value - meanValue)) / mean(({ day }) => (day - meanDay) ** 2)
  const left = Math.max(0, usable - reserved)
  return { perDay, daysUntilFull: perDay > 0 ? left / perDay : null }
}
