/** Limits the bytes of request bodies in memory. */
import { limits } from '@purlin/contract/rules/limits'

/** The part of the budget that one request takes. */
export interface BodyShare {
  /** Reserves more bytes; false, without a reservation, if they do not fit. */
  take: (bytes: number) => boolean
  /** Gives back all that it took. */
  release: () => void
}

export interface BodyBudget {
  /** The share of a user's request or, without a user, of one from an address. */
  share: (userId: string | null, address: string) => BodyShare
}

type Sizes = Record<'user' | 'address' | 'strangers' | 'all', number>

/**
 * Makes a budget. What strangers send is limited by address and in all, so that it cannot take the room of users.
 */
export function createBodyBudget(most: Sizes = limits.bodiesInFlight): BodyBudget {
  const held = new Map<string, number>()

  function share(pools: [name: string, most: number][]): BodyShare {
    let taken = 0
    const add = (bytes: number) => {
      for (const [name] of pools) {
        const left = (held.get(name) ?? 0) + bytes
        if (left > 0) held.set(name, left)
        else held.delete(name)
      }
      taken += bytes
    }
    return {
      take(bytes) {
        if (pools.some(([name, room]) => (held.get(name) ?? 0) + bytes > room)) return false
        add(bytes)
        return true
      },
      release: () => add(-taken),
    }
  }

  const ofStranger = (address: string): [string, number][] => [
    ['strangers', most.strangers],
    [`address ${address}`, most.address],
  ]
  return {
    share: (userId, address) =>
      share([
        ['all', most.all],
        ...(userId === null
          ? ofStranger(address)
          : [[`user ${userId}`, most.user] satisfies [string, number]]),
      ]),
  }
}
