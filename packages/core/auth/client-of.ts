/** The client of a request, before a user has signed in. */
import { addressGroup } from '@purlin/contract/rules/network/ip'
import { memoizeRecent } from '#/concurrency/memoize.ts'

/** The group of addresses that count as one client. */
export const clientOf: (remote: string) => string = memoizeRecent(1000, addressGroup)
