/** The certificate authority of a fleet. */
import type { Pair } from '@purlin/contract/rules/credentials/certificate-checks'
import { makeCertificate } from '@purlin/x509/make'
import { nameOfHost, type Identity } from './identity.ts'

// TLS stacks refuse a certificate that is used for another purpose than it has.
const forServers = '1.3.6.1.5.5.7.3.1'
const forClients = '1.3.6.1.5.5.7.3.2'
const years = (count: number) => new Date(Date.now() + count * 365 * 24 * 60 * 60_000)

/** Makes an authority, for twenty years. */
export const makeAuthority = (): Promise<Pair> =>
  makeCertificate({ commonName: 'Purlin fleet', isAuthority: true, notAfter: years(20) })

/** Makes a host's identity: it may listen and not call. */
export async function hostIdentity(by: Pair, hostId: string): Promise<Identity> {
  const dnsNames = [nameOfHost(hostId)]
  return signed(by, { commonName: hostId, dnsNames, purposes: [forServers], notAfter: years(10) })
}

/** Makes the identity of a control plane's server: it may call and not listen. */
export const serverIdentity = (by: Pair): Promise<Identity> =>
  signed(by, { commonName: 'Purlin server', purposes: [forClients] })

async function signed(by: Pair, of: Parameters<typeof makeCertificate>[0]): Promise<Identity> {
  return { ...(await makeCertificate({ ...of, by })), authority: by.cert }
}
