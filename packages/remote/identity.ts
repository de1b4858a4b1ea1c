/**
 * The identities of hosts and servers: the certificate authority of a fleet signs a certificate for each. The purpose in it (RFC
 * 5280, section 4.2.1.12) separates the two: a host cannot pass for a server, nor a server for a host.
 */
import type { SecureContextOptions } from 'node:tls'

/** A certificate with its key, and that of the authority which signed it, all in PEM. */
export interface Identity {
  key: string
  cert: string
  authority: string
}

/** The options of TLS at both ends. */
export const tlsOf = ({ key, cert, authority }: Identity): SecureContextOptions => ({
  key,
  cert,
  ca: authority,
  minVersion: 'TLSv1.3',
})

/** The DNS name in the certificate of a host, which its address need not have. */
export const nameOfHost = (hostId: string): string => `${hostId}.host.purlin.internal`
