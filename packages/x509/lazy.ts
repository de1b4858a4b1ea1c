/** The port for certificates, whose code is loaded when something is read for the first time. */
import type { Certificates } from '@purlin/contract/rules/credentials/certificate-checks'

const load = async () => (await import('./x509.ts')).webCertificates

/** Needs WebCrypto, which browsers give pages that came over TLS or from the same machine. */
export const lazyCertificates: Certificates = {
  read: async (pem) => (await load()).read(pem),
  pair: async (of) => (await load()).pair(of),
}
