/** The prices that operators give what resources use. */
import {
  currencyProblem,
  millionthsOf,
  moneyText,
  pricedAmounts,
  priceProblem,
} from '@purlin/contract/rules/usage/prices'
import { recordOf } from '@purlin/contract/rules/keys'
import { snake } from '@purlin/contract/wire'
import { permit } from '#/auth/resolve.ts'
import type { BodyOf } from '#/context.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import type { Tx, UsagePricesTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { setting } from '../kind/setting.ts'

export type Prices = Omit<UsagePricesTable, 'id'>

const none: Prices = {
  currency: null,
  cpuHour: null,
  memoryGibHour: null,
  storageGibHour: null,
  addressHour: null,
  timeModified: null,
}

/** The prices as they are now. */
export const pricesIn = async (tx: Tx): Promise<Prices> =>
  (await tx.selectFrom('usagePrices').selectAll().where('id', '=', fleetId).executeTakeFirst()) ?? none

const textOf = (price: number | null): string | null => (price === null ? null : moneyText(price))

const view = (prices: Prices) => ({
  currency: prices.currency,
  ...recordOf(pricedAmounts, (amount) => textOf(prices[amount])),
  timeModified: prices.timeModified === null ? null : new Date(prices.timeModified),
})

/** Throws 400 for what is no price, and for prices without a currency. */
function checked(body: BodyOf<'usagePricesUpdate'>): Omit<Prices, 'timeModified'> {
  const { currency } = body
  const wrong = currency === null ? undefined : currencyProblem(currency)
  if (wrong !== undefined) throw fault.invalidValue('currency', wrong)
  return { currency, ...recordOf(pricedAmounts, (amount) => priceOf(amount, body)) }
}

function priceOf(amount: (typeof pricedAmounts)[number], body: BodyOf<'usagePricesUpdate'>): number | null {
  const text = body[amount]
  if (text === null) return null
  const problem = body.currency === null ? 'a price needs a currency' : priceProblem(text)
  if (problem !== undefined) throw fault.invalidValue(snake(amount), problem)
  return millionthsOf(text)
}

export const usagePrices = setting('usagePrices', {
  of: (ctx) => permit(ctx),
  view: async ({ tx }) => view(await pricesIn(tx)),
  async update({ tx, now }, _, body) {
    const prices = { ...checked(body), timeModified: now }
    await tx
      .insertInto('usagePrices')
      .values({ id: fleetId, ...prices })
      .onConflict((on) => on.column('id').doUpdateSet(prices))
      .execute()
    return view(prices)
  },
})
