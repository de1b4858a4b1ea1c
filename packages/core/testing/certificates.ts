/** Certificates of tests: lines of JSON in place of X.509, so that a test can say what a certificate says. */
import type { CertificateFacts, Certificates } from '@purlin/contract/rules/credentials/certificate-checks'

interface Made extends Omit<CertificateFacts, 'key'> {
  /** The name of its key. */
  key: string
  keyFacts: CertificateFacts['key']
}
const usual: Made = {
  subject: 'CN=test',
  issuer: 'CN=authority',
  commonName: undefined,
  dnsNames: ['acme.sys.purlin.internal'],
  notBefore: Date.parse('2026-01-01T00:00:00Z'),
  notAfter: Date.parse('2027-01-01T00:00:00Z'),
  purposes: [],
  key: 'own',
  keyFacts: { type: 'ec', curve: 'P-256', signs: true },
}

/** A chain of certificates, each different from the usual one. */
export const testChain = (...chain: Partial<Made>[]): string =>
  chain.map((one) => `certificate ${JSON.stringify({ ...usual, ...one })}`).join('\n')

/** A request with a certificate for a host, and its key. */
export const testCertificate = (name: string, more: Partial<Made> = {}) => ({
  name,
  description: '',
  cert: testChain(more),
  key: `key ${more.key ?? usual.key}`,
  service: 'external_api' as const,
})

const begin = 'certificate '
const read = (text: string): Made[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(begin))
    .map((line) => JSON.parse(line.slice(begin.length)) as Made)

/** Reads what `testChain` has made. The key `key small` is one that TLS would not take. */
export const testCertificates: Certificates = {
  read: async (pem) => read(pem).map(({ keyFacts, ...facts }) => ({ ...facts, key: keyFacts })),
  pair: async ({ cert, key }) => {
    const [kind, name] = key.split(' ')
    if (kind !== 'key')
      return { is: 'unreadable', ...(kind === 'encrypted' ? { why: 'it is encrypted' } : {}) }
    if (read(cert)[0]?.key !== name) return { is: 'another' }
    return name === 'small' ? { is: 'refused', why: 'the key is too small' } : { is: 'fits' }
  },
}
