/** Failures of sign-in by key, such as an address, and the waits that follow from them. */
import { LRUCache } from 'lru-cache'
import type { Engine } from '#/db/engine.ts'
import type { Clock } from '#/ports.ts'

export interface Rule {
  /** failures without any wait */
  free: number
  /** concurrent verifications before the free failures are used up; one at a time after */
  parallel: number
  /** the wait after the first failure beyond the free ones, which each further one doubles */
  firstMs: number
  longestMs: number
  /** a success wipes out the failures before it */
  forgives: boolean
}

interface Count {
  failures: number
  pending: number
  /** ms since 1970: no attempt before */
  openAt: number
  touchedAt: number
}
type Outcome = 'right' | 'wrong' | 'unknown'
type End = (outcome: Outcome) => void

/** Counts that the servers of a database share: each notifies the others of how its attempts have ended. */
export interface Sharing {
  /** Distinguishes the tallies. */
  name: string
  messages: Engine['messages']
}

/** The count of one key. */
export interface Counted {
  /** ms until the next attempt may begin */
  waitMs(): number
  /** ms between attempts, as of its failures so far */
  backOffMs(): number
  /** Counts an attempt as under way until the result is called with how it ended. */
  begin(): End
}

const forgetMs = 60 * 60_000
const maxEntries = 20_000

/** Counts by one rule. If there are too many keys, those whose last attempt is longest ago are forgotten. */
export function createTally(clock: Clock, rule: Rule, sharing?: Sharing): { of(key: string): Counted } {
  const counts = new LRUCache<string, Count>({ maxSize: maxEntries, sizeCalculation: () => 1 })

  function current(key: string): Count {
    // A look at the count is not an attempt.
    const known = counts.peek(key)
    if (known && (known.pending > 0 || clock.now() - known.touchedAt < forgetMs)) return known
    return { failures: 0, pending: 0, openAt: 0, touchedAt: 0 }
  }
  function keep(key: string, count: Count): void {
    count.touchedAt = clock.now()
    counts.set(key, count)
  }

  /** Counts how an attempt on any server has ended. Returns false if that changes nothing. */
  function ended(key: string, outcome: Outcome): boolean {
    if (outcome === 'unknown' || (outcome === 'right' && !rule.forgives)) return false
    const count = current(key)
    count.failures = outcome === 'right' ? 0 : count.failures + 1
    count.openAt = clock.now() + backOff(rule, count.failures)
    keep(key, count)
    return true
  }
  const mark = `signIn ${sharing?.name ?? ''} `
  sharing?.messages?.listen((message) => {
    if (!message.startsWith(mark)) return
    const [outcome = '', ...key] = message.slice(mark.length).split(' ')
    if (outcome === 'right' || outcome === 'wrong') ended(key.join(' '), outcome)
  })

  return {
    of: (key) => ({
      waitMs() {
        const { failures, pending, openAt } = current(key)
        const wait = openAt - clock.now()
        if (wait > 0) return wait
        return pending >= (failures < rule.free ? rule.parallel : 1) ? 1000 : 0
      },
      backOffMs: () => backOff(rule, current(key).failures),
      begin() {
        const count = current(key)
        count.pending += 1
        keep(key, count)
        return (outcome) => {
          count.pending -= 1
          if (ended(key, outcome)) sharing?.messages?.send(`${mark}${outcome} ${key}`)
        }
      },
    }),
  }
}

function backOff({ free, firstMs, longestMs }: Rule, failures: number): number {
  const beyond = failures - free
  return beyond <= 0 ? 0 : Math.min(2 ** (beyond - 1) * firstMs, longestMs)
}
