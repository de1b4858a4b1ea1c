/** Addresses that no machine can be reached at (RFC 6890). */
import type { Network } from '@purlin/contract/rules/network/ip'
import { netOf } from './allocation.ts'

const special = [
  { noun: 'multicast', ranges: ['224.0.0.0/4', 'ff00::/8'].map(netOf) },
  { noun: 'loopback', ranges: ['127.0.0.0/8', '::1/128'].map(netOf) },
  { noun: 'link-local', ranges: ['169.254.0.0/16', 'fe80::/10'].map(netOf) },
  { noun: 'broadcast', ranges: ['255.255.255.255/32'].map(netOf) },
  { noun: 'source-only', ranges: ['0.0.0.0/8', '::/128'].map(netOf) },
]

/** The kind of the first special range that fits, e.g. `multicast`; undefined if none does. */
export const specialNoun = (fits: (range: Network) => boolean): string | undefined =>
  special.find(({ ranges }) => ranges.some(fits))?.noun
