/** For the benchmark of passwords. */
import { createPasswords } from '../process/passwords.ts'

/** Times hashes with this memory in KiB and this number of passes: each call one, in ms. */
export async function hashTimer(cost: {
  memoryCost: number
  timeCost: number
}): Promise<() => Promise<number>> {
  const passwords = createPasswords(cost)
  const time = async () => {
    const began = performance.now()
    await passwords.hash('correct horse battery')
    return performance.now() - began
  }
  // The first one starts the thread.
  await time()
  return time
}
