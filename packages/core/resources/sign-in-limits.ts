/**
 * Slows down the guessing of passwords. Failures are counted per account and per address of the
 * client; after some free ones each further failure doubles the wait. Kept in memory: a restart
 * forgets, and every server counts for itself.
 */
import { parseIp } from '@purlin/contract/rules/ip'
import type { Clock, Passwords } from '../ports.ts'
import { fault } from '../faults.ts'

/** Who tries, from where. The account need not exist: unknown ones are counted alike. */
export interface SignInAttempt {
  siloId: string
  username: string
  remote: string
}
export interface SignInLimits {
  /** Runs a verification that gives null for wrong credentials. Throws 429 instead while a wait lasts. */
  attempt<T>(who: SignInAttempt, verify: () => Promise<T | null>): Promise<T | null>
}

const minute = 60_000
interface Rule {
  /** failures without any wait */
  free: number
  /** verifications under way at once, before the free failures are used up; one at a time after */
  parallel: number
  longestMs: number
  /** a success wipes out the failures before it */
  forgives: boolean
}
const accountRule: Rule = { free: 5, parallel: 20, longestMs: 15 * minute, forgives: true }
// Many people share the address of an office, so it is allowed more and held up less. It forgives
// nothing: who holds one account must not buy guesses at others with it.
const addressRule: Rule = { free: 50, parallel: 100, longestMs: 5 * minute, forgives: false }
const forgetMs = 60 * minute
const maxEntries = 20_000

/** Limits of one control plane. */
export function createSignInLimits(world: {
  clock: Clock
  passwords: Pick<Passwords, 'fingerprint'>
}): SignInLimits {
  const accounts = createTally(world.clock, accountRule)
  const addresses = createTally(world.clock, addressRule)
  return {
    async attempt({ siloId, username, remote }, verify) {
      // Fingerprints have one length: a name may be as long as a body and is stored nowhere.
      const account = world.passwords.fingerprint(`${siloId} ${username}`)
      const address = addressKey(remote)
      const waitMs = Math.max(accounts.waitMs(account), addresses.waitMs(address))
      if (waitMs > 0) throw fault.tooManyAttempts(Math.ceil(waitMs / 1000))
      const ends = [accounts.begin(account), addresses.begin(address)]
      const outcome = await verify().catch((error: unknown) => {
        for (const end of ends) end('unknown')
        throw error
      })
      for (const end of ends) end(outcome === null ? 'wrong' : 'right')
      return outcome
    },
  }
}

interface Count {
  failures: number
  pending: number
  /** ms since 1970: no attempt before */
  openAt: number
  touchedAt: number
}
type End = (outcome: 'right' | 'wrong' | 'unknown') => void

function createTally(clock: Clock, rule: Rule) {
  // In the order of their last attempt, so that the first is the one to drop.
  const counts = new Map<string, Count>()

  function current(key: string): Count {
    const known = counts.get(key)
    if (known && (known.pending > 0 || clock.now() - known.touchedAt < forgetMs)) return known
    return { failures: 0, pending: 0, openAt: 0, touchedAt: 0 }
  }
  function keep(key: string, count: Count): void {
    counts.delete(key)
    const oldest = counts.keys().next()
    if (counts.size >= maxEntries && !oldest.done) counts.delete(oldest.value)
    count.touchedAt = clock.now()
    counts.set(key, count)
  }
  return {
    waitMs(key: string): number {
      const { failures, pending, openAt } = current(key)
      const wait = openAt - clock.now()
      if (wait > 0) return wait
      return pending >= (failures < rule.free ? rule.parallel : 1) ? 1000 : 0
    },
    begin(key: string): End {
      const count = current(key)
      count.pending += 1
      keep(key, count)
      return (outcome) => {
        count.pending -= 1
        if (outcome === 'unknown' || (outcome === 'right' && !rule.forgives)) return
        count.failures = outcome === 'right' ? 0 : count.failures + 1
        count.openAt = clock.now() + backOff(rule, count.failures)
        keep(key, count)
      }
    },
  }
}

function backOff(rule: Rule, failures: number): number {
  const beyond = failures - rule.free
  return beyond <= 0 ? 0 : Math.min(2 ** beyond * 1000, rule.longestMs)
}

// One customer holds a whole /64 of IPv6; a mapped address is the IPv4 address in it.
function addressKey(remote: string): string {
  const address = parseIp(remote.split('%')[0] ?? '')
  if (!address) return remote.slice(0, 64)
  const { family, value } = address
  const mapped = family === 6 && value >> 32n === 0xffffn
  if (family === 6 && !mapped) return `6 ${value >> 64n}`
  return `4 ${value & 0xffff_ffffn}`
}
