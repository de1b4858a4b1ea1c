/** The prices of a form. */
import type { usagePricesUpdate, usagePricesView } from '@purlin/contract/operations/metrics/usage'
import type { Args, Result } from '@purlin/contract/op'
import { recordOf } from '@purlin/contract/rules/keys'
import { pricedAmounts, type PricedAmount } from '@purlin/contract/rules/usage/prices'

/** Empty texts for no price. */
export type Prices = Record<PricedAmount | 'currency', string>

export const pricesOf = (row: Result<typeof usagePricesView>): Prices => ({
  currency: row.currency ?? '',
  ...recordOf(pricedAmounts, (amount) => row[amount] ?? ''),
})

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

export const toBody = (prices: Prices): Args<typeof usagePricesUpdate>['body'] => ({
  currency: orNull(prices.currency),
  ...recordOf(pricedAmounts, (amount) => orNull(prices[amount])),
})
