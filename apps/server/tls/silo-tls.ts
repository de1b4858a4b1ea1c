/** Which certificate a handshake is answered with: that of the silo whose host name the client asks for. */
import { LRUCache } from 'lru-cache'
import { createSecureContext, type SecureContext } from 'node:tls'
import { certificateFor, type ServedCertificate, type World } from '@purlin/core'
import { isServable } from '@purlin/contract/rules/credentials/certificate-checks'
import { isOutage } from '@purlin/core/ports'
import { systemCertificates } from './certificates.ts'

/** Finds what to answer a client with that asks for a host name; undefined if no silo has a certificate for it. */
export type ChooseContext = (host: string) => Promise<SecureContext | undefined>

interface Entry {
  served: ServedCertificate
  context: SecureContext
}

/**
 * Suites of TLS 1.3, which are all good, and those of TLS 1.2 with forward secrecy and authenticated encryption
 * (RFC 9325, section 4.2). OpenSSL's default has others for old clients.
 */
export const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

/** Contexts in the cache. Those that were used last stay. */
const most = 1_000

/** The contexts of the silos of a world. One is created on first use, and again after a change. */
export function createSiloTls(world: World, kept = most): ChooseContext {
  const entries = new LRUCache<string, Entry>({ max: kept })
  /** Ids of stored certificates that no handshake succeeds with: earlier checks let more of them in. */
  const unservable = new Set<string>()
  const underWay = new Map<string, Promise<SecureContext | undefined>>()

  function keep(host: string, entry: Entry): SecureContext {
    entries.set(host, entry)
    return entry.context
  }

  async function find(host: string): Promise<SecureContext | undefined> {
    const known = entries.get(host)
    const served = await certificateFor(world, host, unservable)
    if (served && served.id === known?.served.id) return keep(host, { ...known, served })
    const pair = await served?.load()
    if (!served || !pair) {
      entries.delete(host)
      return undefined
    }
    if (await isServable(systemCertificates, pair))
      return keep(host, { served, context: createSecureContext({ ...pair, ciphers }) })
    world.log.warn({ host, certificate: served.id }, 'a certificate cannot be served: replace it')
    unservable.add(served.id)
    return find(host)
  }

  async function findOrKeep(host: string): Promise<SecureContext | undefined> {
    try {
      return await find(host)
    } catch (error) {
      if (!isOutage(error)) world.log.error({ host, error: String(error) }, 'no certificate found')
      // Without the database the former certificate is better than none.
      return entries.get(host)?.context
    } finally {
      underWay.delete(host)
    }
  }

  return async (name) => {
    const host = name.toLowerCase()
    const known = entries.get(host)
    if (known?.served.isCurrent()) return keep(host, known)
    const found = underWay.get(host) ?? findOrKeep(host)
    underWay.set(host, found)
    return found
  }
}
