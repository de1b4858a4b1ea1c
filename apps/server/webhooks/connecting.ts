/**
 * Connections to addresses that tenants and operators name. An address is checked when the connection is made, after
 * its name is resolved, so that a name cannot lead to an address that is refused.
 */
import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { type AddressRules, createAddressCheck } from './addresses.ts'

/** An address that must not be connected to. */
export class RefusedAddress extends Error {
  override name = 'RefusedAddress'
}

export interface ConnectingOptions extends AddressRules {
  /** Resolves names; the resolver of the system unless given. */
  resolve?: typeof lookup
  /** Certificate authorities (PEM) to trust instead of those of Node. */
  ca?: string
}

/** Returns a function for the options of a request to an address, which throws if it is refused. */
export function createConnecting(options: ConnectingOptions) {
  const isAllowed = createAddressCheck(options)
  const { resolve = lookup, ca } = options

  const checkedLookup: LookupFunction = (host, how, done) => {
    resolve(host, { ...how, all: true }, (error, found) => {
      if (error) return done(error, '')
      const allowed = found.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (!first) return done(refusal(host, found[0]?.address), '')
      if (how.all) return done(null, allowed)
      return done(null, first.address, first.family)
    })
  }

  return (url: URL): { lookup: LookupFunction; ca?: string } => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // Addresses are not looked up.
    if (isIP(host) !== 0 && !isAllowed(host)) throw refusal(host, host)
    return { lookup: checkedLookup, ...(ca ? { ca } : {}) }
  }
}

const refusal = (host: string, address = 'no address') =>
  new RefusedAddress(
    `${host === address ? address : `${host} resolves to ${address}, which`} is not allowed: ` +
      'an operator can allow its network with --webhooks-allow',
  )
