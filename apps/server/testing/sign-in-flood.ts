/** Concurrent wrong passwords for new accounts, from many addresses: for attacks. */
import { trySignIn } from './requests.ts'

// More than may wait for their hash.
const attackers = 60

/** Starts it. `statuses` are those of the answers so far, 0 for a connection that broke. */
export function startSignInFlood(url: string, silo: string): { statuses: Set<number>; stop: () => void } {
  const statuses = new Set<number>()
  let isOver = false
  const attack = async (first: number) => {
    for (let i = first; !isOver; i += attackers) {
      const account = { silo, user: `user-${i}`, password: 'guess' }
      const attempt = trySignIn(url, account, { from: `127.0.1.${(i % 250) + 1}` })
      statuses.add(await attempt.then(({ status }) => status).catch(() => 0))
    }
  }
  for (let first = 0; first < attackers; first++) void attack(first)
  return { statuses, stop: () => (isOver = true) }
}
