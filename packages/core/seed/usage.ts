/** The last month's use by resources that are deleted since, and prices, so that reports have days to show. */
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { dayMs } from '@purlin/contract/rules/usage/reports'
import type { World } from '#/context.ts'
import { beginUse, endUse, noUse, type Use } from '#/db/rows/usage-periods.ts'
import { newRowId } from '#/db/row-id.ts'
import type { Tx } from '#/db/tables.ts'

const hourMs = 3_600_000

interface Past {
  project: string
  tags: Record<string, string>
  use: Partial<Use>
  /** Before now, in ms. */
  from: number
  until: number
}

/** Workers for some hours of each night. */
const nights: Past[] = Array.from({ length: 30 }, (_, i) => {
  const began = (30 - i) * dayMs
  const worker = { project: 'batch-lab', tags: { env: 'test', team: 'data' }, from: began }
  const hours = 3 + (i % 4)
  return [
    { ...worker, use: { cpus: 16, memoryGib: 64 }, until: began - hours * hourMs },
    { ...worker, use: { storageGib: 50 }, until: began - (hours + 1) * hourMs },
  ]
}).flat()

const shop = { project: 'storefront', tags: { env: 'prod', team: 'web' } }
const collector = { project: 'telemetry', tags: { env: 'prod' } }
const past: Past[] = [
  ...nights,
  { ...shop, use: { cpus: 8, memoryGib: 32 }, from: 30 * dayMs, until: 11 * dayMs },
  { ...shop, use: { cpus: 12, memoryGib: 48 }, from: 11 * dayMs, until: hourMs },
  { ...shop, use: { storageGib: 200 }, from: 30 * dayMs, until: hourMs },
  { ...shop, use: { addresses: 1 }, from: 30 * dayMs, until: hourMs },
  { ...collector, use: { cpus: 4, memoryGib: 16 }, from: 22 * dayMs, until: 6 * dayMs },
  { ...collector, use: { storageGib: 120 }, from: 24 * dayMs, until: 2 * dayMs },
]

/** Records the use of resources that no longer exist. */
export async function makePastUse(
  world: World,
  tx: Tx,
  { siloId, projects }: { siloId: string; projects: Readonly<Record<string, string>> },
): Promise<void> {
  const now = world.clock.now()
  for (const { project, tags, use, from, until } of past) {
    const of = {
      id: newRowId(world),
      siloId,
      projectId: projects[project] ?? '',
      tagsJson: JSON.stringify(tags),
    }
    await beginUse(tx, of, { use: { ...noUse, ...use }, now: now - from })
    await endUse(tx, of, now - until)
  }
}

export const makePrices = (operator: Client<Operations>): Promise<unknown> =>
  operator.usagePricesUpdate({
    body: {
      currency: 'EUR',
      cpuHour: '0.018',
      memoryGibHour: '0.0035',
      storageGibHour: '0.0001',
      addressHour: '0.004',
    },
  })
