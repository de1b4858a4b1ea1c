/** Tables in the form of the API. */
import type { OxqlTable, Timeseries } from '@purlin/contract/operations/metrics/timeseries'
import type { Out } from '@purlin/contract/schema'
import type { Histogram } from '#/timeseries/model.ts'
import { isoText } from './literals.ts'
import { type Dimension, isDistribution, type Table, type Values } from './table.ts'

type AnswerTable = Out<typeof OxqlTable>
type AnswerSeries = Out<typeof Timeseries>
type AnswerValues = AnswerSeries['points']['values'][number]

const timesPerCheckpoint = 1000

/** The tables of a response. Series without points are omitted. */
export async function answerOf(
  tables: readonly Table[],
  checkpoint: (points: number) => Promise<void>,
): Promise<AnswerTable[]> {
  const format = createTimeFormat()
  const textsOf = async (times: Float64Array) => {
    const texts: string[] = []
    for (let from = 0; from < times.length; from += timesPerCheckpoint) {
      for (const time of times.subarray(from, from + timesPerCheckpoint)) texts.push(format(time))
      await checkpoint(Math.min(timesPerCheckpoint, times.length - from))
    }
    return texts
  }
  const answers: AnswerTable[] = []
  for (const { shape, series } of tables) {
    const timeseries: AnswerSeries[] = []
    answers.push({ name: shape.name, timeseries })
    for (const { fields, timestamps, startTimes, values } of series.filter(
      (one) => one.timestamps.length > 0,
    )) {
      const points = {
        startTimes: startTimes && (await textsOf(startTimes)),
        timestamps: await textsOf(timestamps),
        values: shape.dimensions.map((dimension, i) => valuesOf(dimension, values[i] ?? [])),
      }
      // The storage keeps the value of a field together with its type.
      timeseries.push({ fields: fields as AnswerSeries['fields'], points })
    }
  }
  return answers
}

const maxCached = 100_000
/** Formats times with a cache, because most series are measured at the same times. */
function createTimeFormat(): (at: number) => string {
  const known = new Map<number, string>()
  return (at) => {
    const text = known.get(at) ?? `${isoText(at)}Z`
    if (known.size < maxCached) known.set(at, text)
    return text
  }
}

function valuesOf({ metric: metricType, type }: Dimension, values: Values): AnswerValues {
  const list =
    values instanceof Float64Array
      ? Array.from(values, (value) => (Number.isNaN(value) ? null : value))
      : values.map((value) => (isDistribution(type) ? distributionOf(value as Histogram | null) : value))
  return { metricType, values: { type, values: list } as AnswerValues['values'] }
}

// Quantiles are estimates, and clients would expect the data that they were estimated from.
const distributionOf = (histogram: Histogram | null) =>
  histogram && {
    bins: [...histogram.edges],
    counts: [...histogram.counts],
    min: histogram.min,
    max: histogram.max,
    sumOfSamples: histogram.sum,
    squaredMean: histogram.squaredMean,
    p50: null,
    p90: null,
    p99: null,
  }
