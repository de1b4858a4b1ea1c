/** Reads the use of several instances with one query: rows of a list ask one by one. */
import { timeseriesQuery } from '@purlin/contract/operations/metrics/timeseries'
import { createSemaphore } from '@purlin/contract/semaphore'
import { oneLine, stagesOf } from '#/features/metrics/oxql.ts'
import { seriesPoints, type Answer } from '#/features/metrics/points.ts'
import { send } from '#/api/send.ts'
import { cpuShare, sampled } from '../metrics/cpuShare.ts'

export interface UseTarget {
  project: string
  id: string
  ncpus: number
}

/** The share of its vCPUs that an instance used, in percent, by time. */
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

async function readUse(project: string, targets: readonly UseTarget[]): Promise<Map<string, Use>> {
  const end = Date.now()
  const ids = targets.map(({ id }) => id)
  const stages = stagesOf(
    {
      metric: 'virtual_machine:vcpu_usage',
      filters: { state: 'run', instance_id: ids },
      groupBy: 'instance_id',
      every: sampled,
    },
    { start: end - hour, end },
  )
  const answer = await send(timeseriesQuery, { query: { project }, body: { query: oneLine(stages) } })
  return usesIn(answer, targets)
}

/** By id of the instance. */
export function usesIn({ tables }: Answer, targets: readonly UseTarget[]): Map<string, Use> {
  const counts = new Map(targets.map(({ id, ncpus }) => [id, ncpus]))
  return new Map(
    (tables[0]?.timeseries ?? []).map((series) => {
      const id = String(series.fields['instance_id']?.value ?? '')
      const points = seriesPoints(series)
      return [
        id,
        {
          times: points.map(({ at }) => at),
          values: points.map(({ value }) => Math.min(100, cpuShare(value, counts.get(id) ?? 1))),
        },
      ]
    }),
  )
}

/** The use of an instance over the last hour. */
export const cpuUseOf = createUseReader(readUse)
