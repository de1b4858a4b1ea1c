/** Reads the use of several instances with one query: rows of a list ask one by one. */
import { timeseriesQuery } from '@purlin/contract/operations/metrics/timeseries'
import { createSemaphore } from '@purlin/contract/semaphore'
import { serverNow } from '#/lib/clock.ts'
import { oneLine, stagesOf, type MetricQuery } from '#/features/metrics/oxql.ts'
import { seriesPoints, type Answer } from '#/features/metrics/points.ts'
import { send } from '#/api/send.ts'
import { cpuShare, sampled } from '../metrics/cpuShare.ts'
import { memoryUse, rankOfSource } from '../metrics/memoryUse.ts'

export interface UseTarget {
  project: string
  id: string
  ncpus: number
  /** bytes */
  memory: number
}

/** The share of what it has that an instance used, in percent, by time. */
export interface Use {
  times: readonly number[]
  values: readonly number[]
}

/** Reads the use of these instances of a project over the last hour. */
export type ReadUse = (project: string, targets: readonly UseTarget[]) => Promise<ReadonlyMap<string, Use>>

const hour = 3_600_000
/** A query reads the samples of this number of vCPUs at most, unless one instance has more. */
const mostCpus = 64
const mostInstances = 20
/** Rows come into view together. */
const collectMs = 30

interface Waiting {
  target: UseTarget
  resolve: (use: Use) => void
  reject: (error: unknown) => void
}

/** Parts of a list, in order, that are small enough for one query each. */
export function partsOf<T extends { target: UseTarget }>(waiting: readonly T[]): T[][] {
  const parts: T[][] = []
  for (const one of waiting) {
    const last = parts.at(-1)
    const cpus = last?.reduce((sum, { target }) => sum + target.ncpus, one.target.ncpus) ?? Infinity
    if (last && cpus <= mostCpus && last.length < mostInstances) last.push(one)
    else parts.push([one])
  }
  return parts
}

/** Collects the calls of a moment into queries, of which two run at a time. */
export function createUseReader(read: ReadUse): (target: UseTarget) => Promise<Use> {
  const limit = createSemaphore({ running: 2 })
  let waiting: Waiting[] = []
  const run = (project: string, part: readonly Waiting[]) =>
    limit(async () => {
      try {
        const found = await read(
          project,
          part.map(({ target }) => target),
        )
        for (const { target, resolve } of part) resolve(found.get(target.id) ?? { times: [], values: [] })
      } catch (error) {
        for (const { reject } of part) reject(error)
      }
    })
  const flush = () => {
    const all = waiting
    waiting = []
    for (const [project, own] of Map.groupBy(all, ({ target }) => target.project))
      for (const part of partsOf(own)) void run(project, part)
  }
  return (target) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(flush, collectMs)
      waiting.push({ target, resolve, reject })
    })
}

/** How the use of a resource is measured. */
interface Measured {
  query: (ids: readonly string[]) => MetricQuery
  /** In percent of what the instance has. */
  share: (value: number, of: UseTarget) => number
}

export const measured = {
  CPU: {
    query: (ids) => ({
      metric: 'virtual_machine:vcpu_usage',
      filters: { state: 'run', instance_id: ids },
      groupBy: 'instance_id',
      every: sampled,
    }),
    share: (value, { ncpus }) => cpuShare(value, ncpus),
  },
  Memory: {
    query: (ids) => ({ ...memoryUse(ids), groupBy: 'instance_id, source' }),
    share: (value, { memory }) => (100 * value) / memory,
  },
} satisfies Record<string, Measured>

export type UseOf = keyof typeof measured

const readUse =
  ({ query, share }: Measured): ReadUse =>
  async (project, targets) => {
    const end = serverNow()
    const stages = stagesOf(query(targets.map(({ id }) => id)), { start: end - hour, end })
    const answer = await send(timeseriesQuery, { query: { project }, body: { query: oneLine(stages) } })
    return usesIn(answer, targets, share)
  }

/** By id of the instance. What a guest says itself counts more than what its host has measured. */
export function usesIn(
  { tables }: Answer,
  targets: readonly UseTarget[],
  share: Measured['share'],
): Map<string, Use> {
  const byId = new Map(targets.map((target) => [target.id, target]))
  const series = tables[0]?.timeseries ?? []
  const uses = new Map<string, Use>()
  for (const one of series.toSorted((a, b) => rankOfSource(b) - rankOfSource(a))) {
    const target = byId.get(String(one.fields['instance_id']?.value ?? ''))
    const points = seriesPoints(one)
    if (!target || points.length === 0) continue
    uses.set(target.id, {
      times: points.map(({ at }) => at),
      values: points.map(({ value }) => Math.min(100, share(value, target))),
    })
  }
  return uses
}

/** The use of an instance over the last hour. */
export const useOf = {
  CPU: createUseReader(readUse(measured.CPU)),
  Memory: createUseReader(readUse(measured.Memory)),
} satisfies Record<UseOf, unknown>
