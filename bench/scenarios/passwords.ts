/** The time of a password's hash, by its cost: the numbers of decision 0021. */
import { hashTimer } from '@purlin/server/testing/password-times'
import { median, type Figure, type Pace } from '../figures.ts'

/** MiB of memory and passes. The last is the server's own. */
const costs = [
  [19, 2],
  [64, 3],
  [96, 3],
  [128, 23],
  [96, 23],
] as const

export async function passwordTimes({ rounds }: Pace): Promise<Figure[]> {
  const found: Figure[] = []
  for (const [memory, passes] of costs) {
    const times: number[] = []
    const time = await hashTimer({ memoryCost: memory * 1024, timeCost: passes })
    for (let round = 0; round < rounds; round++) times.push(await time())
    found.push({ name: `${memory} MiB, ${passes} passes`, value: median(times), unit: 'ms' })
  }
  return found
}
