/** Reports of what resources used from one moment to another, and the prices of that. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { usageGroupings, usageLimits } from '#/rules/usage/reports.ts'
import { array, enumOf, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { uint64 } from '#/schemas/integers.ts'
import { inOrder, page } from '#/schemas/page.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { settingOps } from '../setting.ts'

const tag = 'metrics'
const path = '/v1/system/usage'

const query = {
  ...inOrder,
  startTime: time(),
  endTime: time(),
  by: optional(array(enumOf(usageGroupings), { count: usageGroupings.length, noun: 'groupings' })),
  tag: optional(string({ maxLength: limits.tags.key })),
}

export const UsageSum = ref('UsageSum', object({
  siloId: optional(Uuid),
  siloName: optional(string(unlimited)),
  projectId: optional(Uuid),
  projectName: optional(string(unlimited)),
  tagValue: optional(nullable(string(unlimited))),
  day: optional(time()),
  cpuSeconds: uint64,
  memoryGibSeconds: uint64,
  storageGibSeconds: uint64,
  addressSeconds: uint64,
  /** Only with prices. */
  cost: optional(string(unlimited)),
  currency: optional(string(unlimited)),
}))
const response = ref('UsageSumResultsPage', page(UsageSum))

export const usageReport = op({
  method: 'GET', path: '/v1/usage', allow: 'silo.viewer', ok: 200, tag, response, query: object(query),
})
export const projectUsageReport = op({
  method: 'GET', path: '/v1/projects/{project}/usage', allow: 'project.viewer', ok: 200, tag, response,
  params: object({ project: NameOrId }), query: object(query),
})
export const systemUsageReport = op({
  method: 'GET', path, allow: 'fleet.viewer', ok: 200, tag, response,
  query: object({ ...query, silo: optional(NameOrId) }),
})

const price = nullable(string({ maxLength: 32 }))
const prices = {
  currency: nullable(string({ maxLength: usageLimits.currency })),
  cpuHour: price,
  memoryGibHour: price,
  storageGibHour: price,
  addressHour: price,
}
export const { usagePricesView, usagePricesUpdate } = settingOps('usagePrices', {
  path: `${path}/prices`, tag, view: 'fleet.viewer', update: 'fleet.admin',
  body: ref('UsagePricesUpdate', object(prices)),
  response: ref('UsagePrices', object({ ...prices, timeModified: nullable(time()) })),
})
