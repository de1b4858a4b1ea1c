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
import { noteOther } from '#/audit/touched.ts'
import type { BodyOf, FieldChange } from '#/context.ts'
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

type View = ReturnType<typeof view>

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

/** As entries of the audit log name them. */
const ofFleet = { type: 'usage', id: fleetId, before: 'prices', after: 'prices' }

const changesOf = (before: View, after: View): FieldChange[] =>
  (['currency', ...pricedAmounts] as const)
    .filter((one) => before[one] !== after[one])
    .map((one) => ({ field: snake(one), before: before[one], after: after[one] }))

export const usagePrices = setting('usagePrices', {
  of: (ctx) => permit(ctx),
  view: async ({ tx }) => view(await pricesIn(tx)),
  async update({ tx, now, unit }, _, body) {
    const before = view(await pricesIn(tx))
    const prices = { ...checked(body), timeModified: now }
    noteOther(unit, { ...ofFleet, changes: changesOf(before, view(prices)) })
    await tx
      .insertInto('usagePrices')
      .values({ id: fleetId, ...prices })
      .onConflict((on) => on.column('id').doUpdateSet(prices))
      .execute()
    return view(prices)
  },
})
