/** Numbers as text in a field: written and read by the rules of one locale, the browser's unless given. */

/** The numbers that a field accepts. */
export interface NumberRule {
  min: number
  integer: boolean
}

/** A number that was read from text; NaN without a problem when the text is empty. */
export interface ReadNumber {
  value: number
  problem?: string
}

interface Marks {
  group: string
  decimal: string
  /** The ten digits of the locale, from 0. */
  digits: string[]
  grouped: Intl.NumberFormat
}

const marksByLocale = new Map<string | undefined, Marks>()
function marksOf(locale: string | undefined): Marks {
  const known = marksByLocale.get(locale)
  if (known) return known
  const grouped = new Intl.NumberFormat(locale, { useGrouping: 'always', maximumFractionDigits: 1 })
  const parts = grouped.formatToParts(1_234_567.5)
  const mark = (type: Intl.NumberFormatPartTypes) =>
    unify(parts.find((part) => part.type === type)?.value ?? '')
  const plain = new Intl.NumberFormat(locale, { useGrouping: false })
  const digits = Array.from({ length: 10 }, (_, i) => plain.format(i))
  const marks = { group: mark('group'), decimal: mark('decimal'), digits, grouped }
  marksByLocale.set(locale, marks)
  return marks
}

/** Gives characters that look the same one form: blanks, apostrophes, minus signs. Leaves out marks of direction. */
const unify = (text: string): string =>
  text
    .replaceAll(/[\u061c\u200e\u200f]/g, '')
    .replaceAll(/\s/g, ' ')
    .replaceAll('’', "'")
    .replaceAll('−', '-')

/** The text in one form, with the digits 0 to 9. */
const plainText = (text: string, { digits }: Marks): string =>
  Array.from(unify(text).trim(), (one) => {
    const digit = digits.indexOf(one)
    return digit < 0 ? one : String(digit)
  }).join('')

/** Whether each character can be part of a number. A minus can only where numbers below zero are allowed. */
export function isNumberDraft(text: string, { min }: NumberRule, locale?: string): boolean {
  const marks = marksOf(locale)
  const allowed = `0123456789 .,'${marks.group}${marks.decimal}${min < 0 ? '-' : ''}`
  return Array.from(plainText(text, marks)).every((one) => allowed.includes(one))
}

/** Reads a number as the locale writes it. Grouping is optional, but must be where the locale has it. */
export function readNumber(text: string, rule: NumberRule, locale?: string): ReadNumber {
  const marks = marksOf(locale)
  const plain = plainText(text, marks)
  if (plain === '') return { value: Number.NaN }
  const isNegative = plain.startsWith('-')
  const [whole = '', fraction = '', ...rest] = plain.slice(isNegative ? 1 : 0).split(marks.decimal)
  const digits = marks.group === '' ? whole : whole.replaceAll(marks.group, '')
  const isGrouped = (): boolean => plainText(marks.grouped.format(BigInt(digits)), marks) === whole
  const isRead =
    rest.length === 0 &&
    /^\d*$/.test(digits) &&
    /^\d*$/.test(fraction) &&
    digits + fraction !== '' &&
    (digits === whole || isGrouped()) &&
    !(rule.integer && plain.includes(marks.decimal)) &&
    !(isNegative && rule.min >= 0)
  const value = isRead ? Number(`${isNegative ? '-' : ''}${digits}.${fraction}0`) : Number.NaN
  return Number.isFinite(value) ? { value } : { value: Number.NaN, problem: notANumber(text, rule, locale) }
}

/** Says that text cannot be read, and how numbers are written. */
export function notANumber(text: string, { integer }: NumberRule, locale?: string): string {
  const short = text.length > 20 ? `${text.slice(0, 19)}…` : text
  const sample = (integer ? 1234 : 1234.5).toLocaleString(locale, { useGrouping: 'always' })
  return `“${short.trim()}” is not a ${integer ? 'whole number' : 'number'}. Write it like ${sample}.`
}

/** A number as a draft, without digit grouping or exponent; NaN is empty. */
export const textOf = (value: number, locale?: string): string =>
  Number.isFinite(value)
    ? value.toLocaleString(locale, { useGrouping: false, maximumFractionDigits: 10 })
    : ''

/** The nearest number within the bounds, without the rounding errors of binary fractions. */
export const clampNumber = (value: number, { min, max }: { min: number; max: number }): number =>
  Number(Math.max(min, Math.min(value, max)).toFixed(10))
