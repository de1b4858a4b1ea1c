/** Fields of measurements and queries over them. */
import { limits } from '#/rules/limits.ts'
import { usageLimits } from '#/rules/usage/reports.ts'
import type { FieldSentences } from '../field-sentences.ts'

const moments = {
  min: 'The smallest sample.',
  max: 'The largest sample.',
  sumOfSamples: 'The sum of all samples.',
  squaredMean: 'The sum of the squared distances from the mean (Welford).',
  p50: 'An estimate of the median.',
  p90: 'An estimate of the 90th percentile.',
  p99: 'An estimate of the 99th percentile.',
}
const distribution = {
  ...moments,
  bins: 'The lower bounds of the bins.',
  counts: 'The number of samples in each bin.',
}
const provisioned = {
  metricName: 'The amount: vCPUs, memory or disk storage, the latter two in bytes.',
  order: 'The order of the samples by time; ascending unless given.',
}

const report = {
  startTime: 'The beginning of the time, RFC 3339, in whole seconds.',
  endTime: `The end of the time, which is not included; at most ${usageLimits.days} days later.`,
  by: 'The parts of the report: for each silo, project or day in UTC. One sum unless given.',
  tag: 'The key of a tag: the report has a part for each of its values, and one for resources without it.',
}
const prices = {
  currency: 'The currency of the prices, such as `EUR`; null without prices.',
  cpuHour: 'The price of a vCPU for an hour, such as `0.035`; null for none.',
  memoryGibHour: 'The price of 1 GiB of memory for an hour; null for none.',
  storageGibHour: 'The price of 1 GiB of storage for an hour; null for none.',
  addressHour: 'The price of a floating or ephemeral IP for an hour; null for none.',
}

export const metrics: FieldSentences = {
  usageReport: report,
  projectUsageReport: report,
  systemUsageReport: { ...report, silo: 'The name or id of a silo; the fleet unless given.' },
  UsageSum: {
    siloId: 'The id of the silo, in a report by silo.',
    siloName: 'Its name, or the last one of a deleted silo.',
    projectId: 'The id of the project, in a report by project.',
    projectName: 'Its name, or the last one of a deleted project.',
    tagValue: 'The value of the tag, in a report by a tag; null for resources without the tag.',
    day: 'The beginning of the day in UTC, in a report by day.',
    cpuSeconds: 'The number of vCPUs multiplied by the seconds for which instances had them.',
    memoryGibSeconds: 'GiB of memory multiplied by the seconds for which instances had them.',
    storageGibSeconds:
      'GiB of disks, snapshots and imports multiplied by the seconds for which they existed.',
    addressSeconds:
      'The number of floating and ephemeral IPs multiplied by the seconds for which they existed.',
    cost: 'The cost at the present prices, rounded to a millionth; absent without prices.',
    currency: 'The currency of the cost.',
  },
  UsagePricesUpdate: prices,
  UsagePrices: { ...prices, timeModified: 'When the prices were last changed; null if never.' },
  siloMetric: { ...provisioned, project: 'The name or id of a project; the silo unless given.' },
  systemMetric: { ...provisioned, silo: 'The name or id of a silo; the fleet unless given.' },
  Measurement: { timestamp: 'When it was measured, RFC 3339 in UTC.', datum: 'The value.' },
  Datum: { type: 'The type of the value.', datum: 'The value.' },
  'Datum.datum': {
    ...moments,
    startTime: 'The beginning of the time that the value is about, RFC 3339 in UTC.',
    value: 'The value since then.',
    bins: 'The bins of the histogram.',
    nSamples: 'The number of samples.',
    datumType: 'The type that the value would have.',
  },
  'Datum.datum.bins': {
    range: 'The values that the bin counts.',
    count: 'The number of samples in the bin.',
  },
  'Datum.datum.bins.range': {
    type: 'Which of its bounds the bin has.',
    start: 'The lower bound, included.',
    end: 'The upper bound, excluded.',
  },
  TimeseriesQuery: { query: `A query in OxQL, at most ${limits.query} characters.` },
  OxqlQueryResult: { tables: 'The tables that the query results in.' },
  OxqlTable: {
    name: 'The name of the timeseries.',
    timeseries: 'The timeseries, one for each combination of fields.',
  },
  Timeseries: {
    fields: 'The fields that tell it from others, by name.',
    points: 'The points in order of time.',
  },
  FieldValue: { type: 'The type of the field.', value: 'The value of the field.' },
  Points: {
    startTimes: 'For each point the beginning of its time; absent or null for gauges.',
    timestamps: 'The time of each point, RFC 3339 in UTC.',
    values: 'The values of the points, one list for each dimension.',
  },
  Values: { metricType: 'Whether values are gauges, differences or cumulative.', values: 'The values.' },
  ValueArray: { type: 'The type of the values.', values: 'The values; null where one is missing.' },
  Distributionint64: distribution,
  Distributiondouble: distribution,
  Quantile: {
    p: 'The quantile that is estimated, from 0 to 1.',
    markerHeights: 'The heights of the five markers of the estimate (P² algorithm).',
    markerPositions: 'Their positions among the samples.',
    desiredMarkerPositions: 'The positions that they should have.',
  },
  TimeseriesSchema: {
    timeseriesName: 'The name, such as `virtual_disk:bytes_read`.',
    description: 'Texts about what is measured.',
    fieldSchema: 'The fields that tell its timeseries apart.',
    datumType: 'The type of its values.',
    version: 'The version of the schema.',
    authzScope: 'The level on which a role is needed to query it.',
    units: 'The unit of its values.',
    created: 'When the schema was created, RFC 3339 in UTC.',
  },
  TimeseriesDescription: { target: 'What is measured.', metric: 'The measurement.' },
  FieldSchema: {
    name: 'The name of the field.',
    fieldType: 'The type of its values.',
    source: 'Whether the field describes what is measured or the measurement.',
  },
}
