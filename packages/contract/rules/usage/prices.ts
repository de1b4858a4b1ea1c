/** Prices of what resources use, as texts and as integers. */
import { usageLimits } from './reports.ts'

/** The amounts that have a price: one of each, for an hour. */
export const pricedAmounts = ['cpuHour', 'memoryGibHour', 'storageGibHour', 'addressHour'] as const
export type PricedAmount = (typeof pricedAmounts)[number]

const isPrice = /^\d{1,10}(?:\.(\d+))?$/
const perUnit = 10 ** usageLimits.decimals

/** The reason why a text is no price. */
export function priceProblem(text: string): string | undefined {
  const found = isPrice.exec(text)
  if (!found) return 'a price is a decimal number such as 0.035'
  if ((found[1] ?? '').length > usageLimits.decimals)
    return `a price has at most ${usageLimits.decimals} decimal places`
  return Number(text) > usageLimits.price ? `a price is at most ${usageLimits.price}` : undefined
}

/** The reason why a text is no currency. */
export const currencyProblem = (text: string): string | undefined =>
  /^[^\s\p{Cc}]+$/u.test(text) ? undefined : 'a currency is a word such as EUR, without spaces'

/** A price in millionths of its currency. */
export function millionthsOf(price: string): number {
  const [whole = '', part = ''] = price.split('.')
  return Number(whole) * perUnit + Number(part.padEnd(usageLimits.decimals, '0'))
}

/** An amount of money with at least two decimal places, from millionths. */
export function moneyText(millionths: bigint | number): string {
  const all = String(millionths).padStart(usageLimits.decimals + 1, '0')
  const [whole, part] = [all.slice(0, -usageLimits.decimals), all.slice(-usageLimits.decimals)]
  return `${whole}.${part.replace(/0{1,4}$/, '')}`
}
