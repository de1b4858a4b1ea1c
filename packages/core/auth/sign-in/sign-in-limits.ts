/**
 * Slows down the guessing of passwords. Failures are counted by account and client address together, by address, and
 * by account. After some free failures, each further one of the first two doubles the wait before the next attempt.
 * Too many failures of one account, from any address, only make its attempts slower, because a stranger could
 * otherwise lock its owner out. A browser that the account knows is counted separately. The counts are in memory: a
 * restart forgets them. The servers of a database notify each other of them. Decision 0022 has the reasons.
 */
import { memoizeByObject } from '#/concurrency/memoize.ts'
import { clientOf } from '../client-of.ts'
import type { Engine } from '#/db/engine.ts'
import type { Clock, Passwords } from '#/ports.ts'
import { fault, Fault } from '#/faults.ts'
import { type Counted, createTally, type Rule } from './sign-in-tally.ts'

/** The account and where the attempt comes from. The account need not exist: unknown ones are counted alike. */
export interface SignInAttempt {
  siloId: string
  username: string
  remote: string
  /** The mark of a browser in which this account has signed in before. */
  knownMark?: string | undefined
}
export interface SignInLimits {
  /** Runs a verification that gives null for wrong credentials. Throws 429 instead while a wait lasts. */
  attempt<T>(who: SignInAttempt, verify: () => Promise<T | null>): Promise<T | null>
  /**
   * The same for the second step of a sign-in. Only those who know the password get there, so that its failures, from
   * any address, make the account wait. Throws 429 instead while a wait lasts.
   */
  secondStep<T>(who: { userId: string; remote: string }, verify: () => Promise<T | null>): Promise<T | null>
  /**
   * Runs the check of an answer that an identity provider has given a browser at an address. One that is refused counts
   * as a failure of the address. Throws 429 instead while a wait lasts.
   */
  answer<T>(remote: string, check: () => Promise<T>): Promise<T>
}

/** The limits of a control plane. */
export const signInLimitsOf: (world: Parameters<typeof createSignInLimits>[0]) => SignInLimits =
  memoizeByObject(createSignInLimits)

interface Counts {
  /** Slows the attempt down. */
  account: Counted | null
  /** Each refuses it while its wait lasts. */
  refusing: readonly Counted[]
}

const minute = 60_000
const strictRule: Rule = { free: 5, parallel: 10, firstMs: 2000, longestMs: 15 * minute, forgives: true }
// Many people share the address of an office, so it has more free failures and shorter waits. A success does
// not reset it: signing in to one account must not allow more guesses at others.
const addressRule: Rule = { free: 50, parallel: 15, firstMs: 2000, longestMs: 5 * minute, forgives: false }
const accountRule: Rule = { free: 20, parallel: Infinity, firstMs: 500, longestMs: 8000, forgives: true }

/** Limits of one control plane. */
export function createSignInLimits(world: {
  clock: Clock
  passwords: Pick<Passwords, 'fingerprint'>
  engine?: Pick<Engine, 'messages'>
}): SignInLimits {
  const { clock, passwords, engine } = world
  const sharing = (name: string) => ({ name, messages: engine?.messages })
  const strict = createTally(clock, strictRule, sharing('strict'))
  const addresses = createTally(clock, addressRule, sharing('address'))
  const accounts = createTally(clock, accountRule, sharing('account'))

  /** The keys under which a failure counts. */
  function countsOf({ siloId, username, remote, knownMark }: SignInAttempt): Counts {
    // Fingerprints have one length: a name may be as long as a body and is stored nowhere.
    const account = passwords.fingerprint(`${siloId} ${username}`)
    if (knownMark !== undefined) return { account: null, refusing: [strict.of(`${account} by ${knownMark}`)] }
    const address = clientOf(remote)
    return {
      account: accounts.of(account),
      refusing: [strict.of(`${account} from ${address}`), addresses.of(address)],
    }
  }

  function refuseWaiting(refusing: readonly Counted[]): void {
    const waitMs = Math.max(...refusing.map((count) => count.waitMs()))
    if (waitMs > 0) throw fault.tooManyAttempts(Math.ceil(waitMs / 1000))
  }

  async function run<T>({ account, refusing }: Counts, verify: () => Promise<T | null>): Promise<T | null> {
    refuseWaiting(refusing)
    const slowMs = account?.backOffMs() ?? 0
    const ends = [...refusing, ...(account ? [account] : [])].map((count) => count.begin())
    if (slowMs > 0) await new Promise<void>((resolve) => clock.after(slowMs, resolve))
    const outcome = await verify().catch((error: unknown) => {
      for (const end of ends) end('unknown')
      throw error
    })
    for (const end of ends) end(outcome === null ? 'wrong' : 'right')
    return outcome
  }

  return {
    async answer(remote, check) {
      const count = addresses.of(clientOf(remote))
      refuseWaiting([count])
      const end = count.begin()
      try {
        const checked = await check()
        end('right')
        return checked
      } catch (error) {
        end(error instanceof Fault && isRefusal(error) ? 'wrong' : 'unknown')
        throw error
      }
    },
    attempt: (who, verify) => run(countsOf(who), verify),
    secondStep: ({ userId, remote }, verify) =>
      run(
        { account: null, refusing: [strict.of(`second step of ${userId}`), addresses.of(clientOf(remote))] },
        verify,
      ),
  }
}

const isRefusal = ({ status }: Fault): boolean => status === 400 || status === 401
