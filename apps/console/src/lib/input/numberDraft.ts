/** Whether typed text is a number or the beginning of one. A minus is rejected unless `min` is negative. */
export const isNumberDraft = (text: string, { min, integer }: { min: number; integer: boolean }): boolean => {
  const sign = min < 0 ? '-?' : ''
  return new RegExp(integer ? `^${sign}\\d*$` : `^${sign}\\d*\\.?\\d*$`).test(text)
}

/** The number in a draft; NaN when it is empty or incomplete. */
export const numberOf = (text: string): number => (/\d/.test(text) ? Number(text) : Number.NaN)

/** A number as a draft, without digit grouping or exponent; NaN is empty. */
export const textOf = (value: number): string =>
  Number.isFinite(value) ? value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 10 }) : ''

/** The nearest number within the bounds, without the rounding errors of binary fractions. */
export const clampNumber = (value: number, { min, max }: { min: number; max: number }): number =>
  Number(Math.max(min, Math.min(value, max)).toFixed(10))
