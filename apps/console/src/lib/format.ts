/** How a date is shown: in the user's locale, and in the browser's time zone unless one is given. */
export interface DateStyle {
  locale?: string | undefined
  timeZone?: string | undefined
}

// Making a formatter costs a hundred times more than using one, and tables use one per cell.
const formatters = new Map<string, Intl.DateTimeFormat>()
const dateFormat = (options: Intl.DateTimeFormatOptions, { locale, timeZone }: DateStyle) => {
  const all = timeZone === undefined ? options : { ...options, timeZone }
  const key = JSON.stringify([locale, all])
  const made = formatters.get(key) ?? new Intl.DateTimeFormat(locale, all)
  formatters.set(key, made)
  return made
}

// Making the first formatter takes a page 20 ms.
const lazily = <T>(make: () => T) => {
  let made: T | undefined
  return () => (made ??= make())
}
const conjunction = lazily(() => new Intl.ListFormat('en'))
const disjunction = lazily(() => new Intl.ListFormat('en', { type: 'disjunction' }))
const decimals = lazily(() => new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 }))
const hundredths = lazily(
  () => new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
)
const compact = lazily(
  () => new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }),
)

/** 'a, b, and c' */
export const joinedByAnd = (names: Iterable<string>): string => conjunction().format(names)

/** The parts of 'a, b, or c': names (`element`) and what stands between them (`literal`). */
export const partsJoinedByOr = (names: Iterable<string>) => disjunction().formatToParts(names)

/** A number with at most two decimals, in the user's locale. */
export const twoDecimals = (value: number): string => decimals().format(value)

/** A number with exactly two decimals, in the user's locale, for money and for columns of numbers. */
export const inHundredths = (value: number): string => hundredths().format(value)

/** A number with three digits and a letter for its size: '1.23K'. */
export const compactNumber = (value: number): string => compact().format(value)

/** 'Apr 16, 2024' in English, '28.02.2023' in German, '28 févr. 2023' in French. */
export const formatDate = (date: Date, style: DateStyle = {}): string =>
  dateFormat({ dateStyle: 'medium' }, style).format(date)

/** '8:33 PM' in English, '00:00' in German. */
export const formatTime = (date: Date, style: DateStyle & { seconds?: boolean } = {}): string => {
  const { seconds, ...zone } = style
  return dateFormat({ timeStyle: seconds ? 'medium' : 'short' }, zone).format(date)
}

/** Date, time with seconds and zone, in full. */
export const formatExact = (date: Date, style: DateStyle = {}): string =>
  dateFormat({ dateStyle: 'medium', timeStyle: 'long' }, style).format(date)

/** A tick of a time axis, as short as the locale allows: '3:04 PM' or '15:04', '3:04:30 PM', '4/16, 3:04 PM'. */
export const formatTick = (
  date: Date,
  { day = false, second = false }: { day?: boolean; second?: boolean },
  style: DateStyle = {},
): string => {
  const time = formatTime(date, { ...style, seconds: second })
  return day ? `${formatDay(date, style)}, ${time}` : time
}

/** The day of such a tick: '4/16'. */
export const formatDay = (date: Date, style: DateStyle = {}): string =>
  dateFormat({ month: 'numeric', day: 'numeric' }, style).format(date)

const SHORT_UNITS = [
  ['y', 31_536_000],
  ['mo', 2_592_000],
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** The distance between two moments in one short unit: 30s, 5m, 3h, 2d, 1w, 4mo, 2y. */
export const relativeShort = (date: Date, now: Date): string => {
  const seconds = Math.floor(Math.abs(now.getTime() - date.getTime()) / 1000)
  const [unit, size] = SHORT_UNITS.find(([, length]) => seconds >= length) ?? (['s', 1] as const)
  return `${Math.floor(seconds / size)}${unit}`
}

const LONG_UNITS = [
  ['year', 525_600],
  ['month', 43_200],
  ['day', 1440],
  ['hour', 60],
  ['minute', 1],
] as const

/** The same in words, with its direction: '3 days ago', 'in 2 hours'. */
export const relativeLong = (date: Date, now: Date, locale?: string): string => {
  const minutes = (date.getTime() - now.getTime()) / 60_000
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
  const unit = LONG_UNITS.find(([, length]) => Math.abs(minutes) >= length)
  if (!unit) return words.format(Math.trunc(minutes * 60), 'second')
  return words.format(Math.trunc(minutes / unit[1]), unit[0])
}

const SIZE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const
/** A binary unit of size; each is 1024 times the one before. */
export type SizeUnit = (typeof SIZE_UNITS)[number]
const ROUND = { nearest: Math.round, up: Math.ceil, down: Math.floor }
/** Which way a size is rounded when its unit leaves a fraction. */
export type Rounding = keyof typeof ROUND

/** A size as a number with at most two decimals and its unit. */
export interface SizeParts {
  value: number
  unit: SizeUnit
}

/** Splits bytes into a number and the largest unit that fits, or the unit given.
 * @throws RangeError when the number or the rounding is invalid. */
export const sizeParts = (
  bytes: number,
  { unit, rounding = 'nearest' }: { unit?: SizeUnit | undefined; rounding?: Rounding | undefined } = {},
): SizeParts => {
  if (!Number.isFinite(bytes)) throw new RangeError(`Not a size: ${bytes}`)
  const round = Object.hasOwn(ROUND, rounding) ? ROUND[rounding] : undefined
  if (!round) throw new RangeError(`Not a way of rounding: ${rounding}`)
  const at = (step: number) => (step === 0 ? round(bytes) : round((bytes / 1024 ** step) * 100) / 100)
  if (unit) return { value: at(SIZE_UNITS.indexOf(unit)), unit }
  let step = 0
  while (step < SIZE_UNITS.length - 1 && Math.abs(at(step)) >= 1024) step += 1
  return { value: at(step), unit: SIZE_UNITS[step] ?? 'B' }
}

/** Bytes as text: '1.5 GiB'. */
export const formatSize = (bytes: number, locale?: string): string => {
  const { value, unit } = sizeParts(bytes)
  return `${value.toLocaleString(locale)} ${unit}`
}

/** A short form of a number, and the exact one where the short form drops digits. */
export interface BigNumberText {
  text: string
  full: string
  isShortened: boolean
}

/** In full below a million, then compact with one decimal (10.2M), from 1e15 in engineering form (18.4e18). */
export const bigNumber = (value: number, locale?: string): BigNumberText => {
  const full = value.toLocaleString(locale, { maximumFractionDigits: 2 })
  const size = Math.abs(value)
  if (size < 1e6) return { text: full, full, isShortened: false }
  const notation = size < 1e15 ? 'compact' : 'engineering'
  const text = value.toLocaleString(locale, { notation, maximumFractionDigits: 1 })
  return { text: size < 1e15 ? text : text.toLowerCase(), full, isShortened: true }
}

/** A percentage, split so that its integer part can be set in bold. */
export interface PercentParts {
  whole: string
  fraction: string
}

/** 100 × part ÷ whole with at most two decimals; '< 0.1' for less, as that is not nothing; '—' when whole is 0. */
export const percentParts = (part: number, total: number, locale?: string): PercentParts => {
  const share = (100 * part) / total
  if (!Number.isFinite(share)) return { whole: '—', fraction: '' }
  const isTiny = share > 0 && share < 0.1
  const pieces = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).formatToParts(
    isTiny ? 0.1 : share,
  )
  const isFraction = ({ type }: Intl.NumberFormatPart) => type === 'decimal' || type === 'fraction'
  const join = (list: Intl.NumberFormatPart[]) => list.map(({ value }) => value).join('')
  const whole = join(pieces.filter((piece) => !isFraction(piece)))
  return { whole: isTiny ? `< ${whole}` : whole, fraction: join(pieces.filter(isFraction)) }
}
