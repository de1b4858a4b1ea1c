/** The certificate authority of a fleet. */
import { blocksOf, type Pair } from '@purlin/contract/rules/credentials/certificate-checks'
import type { FleetAuthority } from '@purlin/core/ports'
import { bytesOf } from '@purlin/x509/pem'
import { makeCertificate } from '@purlin/x509/make'
import { nameOfHost, type Identity } from './identity.ts'

// TLS stacks refuse a certificate that is used for another purpose than it has.
const forServers = '1.3.6.1.5.5.7.3.1'
const forClients = '1.3.6.1.5.5.7.3.2'
const years = (count: number) => new Date(Date.now() + count * 365 * 24 * 60 * 60_000)

/** Makes an authority, for twenty years. */
export const makeAuthority = (): Promise<Pair> =>
  makeCertificate({ commonName: 'Purlin fleet', isAuthority: true, notAfter: years(20) })

const ofHost = (hostId: string) => ({
  commonName: hostId,
  dnsNames: [nameOfHost(hostId)],
  purposes: [forServers],
  notAfter: years(10),
})

/** Makes a host's identity: it may listen and not call. */
export const hostIdentity = (by: Pair, hostId: string): Promise<Identity> => signed(by, ofHost(hostId))

/** How long the identity of a server counts. */
export const serverIdentityMs = 24 * 60 * 60_000

/** Makes the identity of a control plane's server: it may call and not listen. It counts for a day. */
export const serverIdentity = (by: Pair): Promise<Identity> =>
  signed(by, {
    commonName: 'Purlin server',
    purposes: [forClients],
    notAfter: new Date(Date.now() + serverIdentityMs),
  })

/** SHA-256 of a certificate, hex. Throws for what is none. */
export async function fingerprintOf(cert: string): Promise<string> {
  const [block = ''] = blocksOf(cert)
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytesOf(block))).toString('hex')
}

/** The authority behind core's port. */
export const fleetAuthority: FleetAuthority = {
  make: makeAuthority,
  certify: async (by, { id, publicKey }) => {
    try {
      return (await makeCertificate({ ...ofHost(id), by, publicKey })).cert
    } catch {
      return undefined
    }
  },
  fingerprint: fingerprintOf,
}

async function signed(by: Pair, of: Parameters<typeof makeCertificate>[0]): Promise<Identity> {
  return { ...(await makeCertificate({ ...of, by })), authority: by.cert }
}
