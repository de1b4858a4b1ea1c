/** Stands in for the control plane where queries are tested: it answers the few kinds that charts ask. */
import { ApiError } from '../../send.ts'
import type { Answer, Timeseries } from './points.ts'

/** A counter: when each sample was taken, since when it counts, and how far it has come. */
export interface Counter {
  labels: Record<string, number>
  samples: readonly { at: number; birth: number; total: number | null }[]
}

/** What a query says. */
interface Asked {
  from: number
  until: number
  /** the end of the last window */
  end: number
  /** ms */
  window: number
  /** the label whose values are told apart; all of them if there is none */
  by: string | undefined
}

const momentsIn = (query: string, test: string) =>
  Array.from(query.matchAll(new RegExp(`timestamp ${test} @(\\S+)`, 'g')), ([, time]) =>
    Date.parse(`${time}Z`),
  )

function understood(query: string): Asked {
  const ends = momentsIn(query, '<')
  return {
    from: Math.max(...momentsIn(query, '>=')),
    until: Math.min(...ends),
    end: Math.max(...ends),
    window: Number(/mean_within\((\d+)s\)/.exec(query)?.[1]) * 1000,
    by: /group_by \[(\w+)\], sum/.exec(query)?.[1],
  }
}

/** Answers a query, or refuses it if it would read more samples than `most`. */
export function answerTo(query: string, counters: readonly Counter[], most = Infinity): Answer {
  const asked = understood(query)
  const read = counters
    .map(({ labels, samples }) => ({
      labels,
      samples: samples.filter(({ at }) => at >= asked.from && at < asked.until),
    }))
    .filter(({ samples }) => samples.length > 0)
  if (read.reduce((sum, { samples }) => sum + samples.length, 0) > most)
    throw new ApiError('timeseriesQuery', 400, {
      message: `The query would read more than ${most} points: filter more, or take a shorter range`,
    })
  const firstAt = Math.min(...read.map(({ samples }) => samples[0]?.at ?? asked.end))
  const count = read.length === 0 ? 0 : Math.floor((asked.end - firstAt) / asked.window) + 1
  const ends = Array.from({ length: count }, (_, i) => asked.end - (count - 1 - i) * asked.window)
  const groups = Map.groupBy(read, ({ labels }) => JSON.stringify(asked.by ? labels[asked.by] : labels))
  const timeseries = Array.from(groups, ([key, members]): Timeseries => {
    const lines = members.map(({ samples }) => meansOf(samples, ends, asked.window))
    const values = ends.map((_, i) => {
      const known = lines.flatMap((line) => line[i] ?? [])
      return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
    })
    return {
      fields: { key: { type: 'string', value: key } },
      points: {
        startTimes: null,
        timestamps: ends.map((end) => new Date(end).toISOString()),
        values: [{ metricType: 'gauge', values: { type: 'double', values } }],
      },
    }
  })
  return { tables: [{ name: 'vm:busy', timeseries }] }
}

/** What was counted from one sample to the next, spread evenly; for each window divided by the samples in it. */
function meansOf(samples: Counter['samples'], ends: readonly number[], window: number): (number | null)[] {
  const opens = (end: number) => end - window
  // What was counted before the window of the first sample is not told.
  const first = ends.find((end) => (samples[0]?.at ?? 0) <= end) ?? Infinity
  const deltas = samples.map(({ at, birth, total }, i) => {
    const goesOn = birth === samples[i - 1]?.birth
    const before = goesOn ? samples.slice(0, i).findLast((one) => one.total !== null) : undefined
    const last = before?.birth === birth ? (before.total ?? 0) : 0
    return {
      from: goesOn ? (samples[i - 1]?.at ?? 0) : birth,
      at,
      amount: total === null ? null : total - last,
    }
  })
  return ends.map((end) => {
    const inside = samples.filter(({ at }) => at > opens(end) && at <= end).length
    const shares = deltas.flatMap(({ from, at, amount }) => {
      const covered = Math.min(at, end) - Math.max(from, opens(end))
      return amount === null || covered <= 0 || end < first ? [] : [(amount * covered) / (at - from)]
    })
    return shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / Math.max(1, inside)
  })
}
