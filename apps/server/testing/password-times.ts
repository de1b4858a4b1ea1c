/** For the benchmark of passwords. */
import { createPasswords } from '../passwords.ts'

/** The time of one hash in ms, with so many KiB of memory and so many passes. */
export async function timeOfHash(cost: { memoryCost: number; timeCost: number }): Promise<number> {
  const began = performance.now()
  await createPasswords(cost).hash('correct horse battery')
  return performance.now() - began
}
