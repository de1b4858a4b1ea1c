/** The cost of use, at the present prices. */
import { moneyText } from '@purlin/contract/rules/usage/prices'
import type { Prices } from './prices.ts'
import type { Amounts } from './sums.ts'

const secondsInHour = 3600n

const times = (seconds: number, price: number | null): bigint => BigInt(seconds) * BigInt(price ?? 0)

/** The cost of amounts, rounded once, to a millionth; without prices there is none. */
export function costOf(of: Amounts, prices: Prices): { cost?: string; currency?: string } {
  const { currency, cpuHour, memoryGibHour, storageGibHour, addressHour } = prices
  if (currency === null) return {}
  const all =
    times(of.cpuSeconds, cpuHour) +
    times(of.memoryGibSeconds, memoryGibHour) +
    times(of.storageGibSeconds, storageGibHour) +
    times(of.addressSeconds, addressHour)
  return { cost: moneyText((all + secondsInHour / 2n) / secondsInHour), currency }
}
