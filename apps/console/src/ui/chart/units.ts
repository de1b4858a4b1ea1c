import { compactNumber, twoDecimals } from '#/lib/format.ts'

/** The unit of a chart's values. */
export type Quantity = 'percent' | 'bytes' | 'vcpus' | 'nanoseconds' | Rate | Named
/** Numbers in a unit with this name. */
interface Named {
  label: string
}
/** Of a counter, for each second. */
export type Rate = 'bytesPerSecond' | 'perSecond'

/** How values of one quantity are written in one chart. */
export interface Unit {
  /** shown in brackets after the title */
  label: string
  /** what a value is divided by before it is drawn */
  divisor: number
  /** largest possible value, if there is one */
  max?: number
  /** a divided value on the axis */
  tick: (value: number) => string
  /** a divided value with its unit */
  full: (value: number) => string
}

const percent: Unit = {
  label: '%',
  divisor: 1,
  max: 100,
  tick: (value) => `${twoDecimals(value)}%`,
  full: (value) => `${twoDecimals(value)} %`,
}
const numbers = (label: string): Unit => ({
  label,
  divisor: 1,
  tick: (value) => compactNumber(value),
  full: (value) => twoDecimals(value),
})

/** Units that are the same for every value. */
const fixed = { percent, vcpus: numbers('vCPUs'), perSecond: numbers('per second') }

const scales = {
  bytes: { labels: ['Bytes', 'KiB', 'MiB', 'GiB', 'TiB'], base: 1024 },
  bytesPerSecond: { labels: ['Bytes/s', 'KiB/s', 'MiB/s', 'GiB/s', 'TiB/s'], base: 1024 },
  nanoseconds: { labels: ['ns', 'µs', 'ms', 's'], base: 1000 },
}

// One unit for the whole chart, chosen by its largest value.
function scaled(quantity: keyof typeof scales, largest: number): Unit {
  const { labels, base } = scales[quantity]
  const fits = largest >= base ? Math.floor(Math.log(largest) / Math.log(base)) : 0
  const step = Math.min(labels.length - 1, fits)
  const label = labels[step] ?? ''
  return {
    label,
    divisor: base ** step,
    tick: (value) => twoDecimals(value),
    full: (value) => `${twoDecimals(value)} ${label}`,
  }
}

/** How to write values of a quantity of which the largest is known. */
export function unitOf(quantity: Quantity, largest: number): Unit {
  if (typeof quantity === 'object') return numbers(quantity.label)
  return quantity in scales
    ? scaled(quantity as keyof typeof scales, largest)
    : fixed[quantity as keyof typeof fixed]
}
