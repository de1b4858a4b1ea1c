/** Tables as clients get them. */
import type { OxqlTable, Timeseries } from '@purlin/contract/operations/timeseries'
import type { Out } from '@purlin/contract/schema'
import type { Histogram } from '../timeseries/model.ts'
import { isoText } from './literals.ts'
import { type Dimension, isDistribution, type Table, type Values } from './table.ts'

type AnswerTable = Out<typeof OxqlTable>
type AnswerSeries = Out<typeof Timeseries>
type AnswerValues = AnswerSeries['points']['values'][number]

/** The tables of an answer. Series without a point are left out. */
export async function answerOf(
  tables: readonly Table[],
  breathe: (points: number) => Promise<void>,
): Promise<AnswerTable[]> {
  const momentText = createMomentText()
  const textsOf = (times: Float64Array) => Array.from(times, momentText)
  const answers: AnswerTable[] = []
  for (const { shape, series } of tables) {
    const timeseries: AnswerSeries[] = []
    answers.push({ name: shape.name, timeseries })
    for (const { fields, timestamps, startTimes, values } of series.filter(
      (one) => one.timestamps.length > 0,
    )) {
      const points = {
        startTimes: startTimes && textsOf(startTimes),
        timestamps: textsOf(timestamps),
        values: shape.dimensions.map((dimension, i) => valuesOf(dimension, values[i] ?? [])),
      }
      // What a field holds is as its type says: the storage keeps them together.
      timeseries.push({ fields: fields as AnswerSeries['fields'], points })
      await breathe(timestamps.length)
    }
  }
  return answers
}

const mostTexts = 100_000
/** Series were measured at the same times more often than not. */
function createMomentText(): (at: number) => string {
  const known = new Map<number, string>()
  return (at) => {
    const text = known.get(at) ?? `${isoText(at)}Z`
    if (known.size < mostTexts) known.set(at, text)
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

// Of quantiles only the estimate is kept, and clients would expect all of what it was made from.
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
