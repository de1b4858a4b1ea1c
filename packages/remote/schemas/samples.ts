/** Measurements on the wire: the values of a series are all of one kind, and so are its labels. */
import {
  array,
  boolean,
  enumOf,
  integer,
  number,
  object,
  record,
  union,
  type Out,
  type Schema,
} from '@purlin/contract/schema'
import type { Distribution, Measures, SampleBatch } from '@purlin/core/ports'
import { id, most, text } from './machines.ts'

const distribution: Schema<Distribution> = object({
  edges: array(number(), most(1_000, 'edges')),
  counts: array(integer(), most(1_000, 'counts')),
  min: number(),
  max: number(),
  sum: number(),
  squaredMean: number(),
})

const mostTimes = most(10_000, 'times')

const series = object({
  metric: id,
  texts: record(text, most(100, 'labels')),
  numbers: record(number(), most(100, 'labels')),
  values: union('of', {
    numbers: { list: array(number(), mostTimes) },
    distributions: { list: array(distribution, mostTimes) },
  }),
})

const measures = object({
  kind: enumOf(['virtual_machine', 'virtual_disk', 'instance_network_interface']),
  id,
  times: array(integer(), mostTimes),
  series: array(series, most(1_000, 'series')),
})

export const wireBatch = object({
  until: integer(),
  more: boolean(),
  machines: array(
    object({
      id,
      boot: integer(),
      start: integer(),
      measures: array(measures, most(10_000, 'measured objects')),
    }),
    most(100_000, 'machines'),
  ),
})

type WireBatch = Out<typeof wireBatch>
type WireSeries = Out<typeof series>
type Series = Measures['series'][number]

export const batchToWire = ({ until, more, machines }: SampleBatch): WireBatch => ({
  until,
  more,
  machines: machines.map((one) => ({
    ...one,
    measures: one.measures.map((measured) => ({ ...measured, series: measured.series.map(seriesToWire) })),
  })),
})

export const batchFromWire = ({ until, more, machines }: WireBatch): SampleBatch => ({
  until,
  more,
  machines: machines.map((one) => ({
    ...one,
    measures: one.measures.map((measured) => ({ ...measured, series: measured.series.map(seriesFromWire) })),
  })),
})

function seriesToWire({ metric, labels, values }: Series): WireSeries {
  const texts: Record<string, string> = {}
  const numbers: Record<string, number> = {}
  for (const [name, value] of Object.entries(labels))
    if (typeof value === 'number') numbers[name] = value
    else texts[name] = value
  return {
    metric,
    texts,
    numbers,
    values: isOfNumbers(values) ? { of: 'numbers', list: values } : { of: 'distributions', list: values },
  }
}

const seriesFromWire = ({ metric, texts, numbers, values }: WireSeries): Series => ({
  metric,
  labels: { ...texts, ...numbers },
  values: values.list,
})

const isOfNumbers = (values: number[] | Distribution[]): values is number[] => typeof values[0] !== 'object'
