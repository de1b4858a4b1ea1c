/** Identity providers of tests: lines of JSON in place of XML, so that a test can say what one says. */
import {
  type FetchedMetadata,
  type Saml,
  type SamlAnswer,
  type SamlCertificate,
  type SamlMetadata,
  SamlRefused,
} from '#/ports.ts'

type Assertion = SamlAnswer['assertion']
type Answer = Omit<SamlAnswer, 'assertion'>

export const acsUrl = 'https://acme.sys.purlin.internal/login/acme/saml/corp'
export const signOnUrl = 'https://idp.example.org/sso'
export const entityId = 'https://idp.example.org'
export const serviceEntityId = 'https://purlin.example.org'

export const certificate = (der: string): SamlCertificate => ({
  der,
  subject: `CN=${der}`,
  fingerprint: 'AB:CD',
  notAfter: Date.parse('2027-01-01T00:00:00Z'),
})

/** The text of metadata, which differs from the usual one. */
export const testMetadata = ({
  keys = ['key'],
  ...more
}: { keys?: string[]; entityId?: string } = {}): string =>
  `metadata ${JSON.stringify({ entityId, signOnUrl, certificates: keys.map(certificate), ...more })}`

/** An answer in base64, signed with a key, which differs from one that fits. */
export function testAnswer(
  at: { now: number; inResponseTo?: string | undefined },
  {
    key = 'key',
    assertion = {},
    ...more
  }: { key?: string; assertion?: Partial<Assertion> } & Partial<Answer> = {},
): string {
  const { now, inResponseTo } = at
  const answer: SamlAnswer = {
    destination: acsUrl,
    inResponseTo,
    responseIssuer: entityId,
    ...more,
    assertion: {
      id: `_${Math.random()}`,
      issuer: entityId,
      issueInstant: now,
      subject: 'ann@example.org',
      confirmations: [confirmation(now, inResponseTo)],
      notBefore: now - 1000,
      notOnOrAfter: now + 60_000,
      audiences: [[serviceEntityId]],
      sessionNotOnOrAfter: undefined,
      attributes: [],
      ...assertion,
    },
  }
  return btoa(JSON.stringify({ key, answer }))
}

/** How the bearer of an answer is confirmed. */
export const confirmation = (now: number, inResponseTo: string | undefined) => ({
  method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  recipient: acsUrl,
  inResponseTo,
  notBefore: undefined,
  notOnOrAfter: now + 60_000,
})

/** The port. `pages` are answers by address. */
export const testSaml = (pages: Record<string, FetchedMetadata> = {}): Saml => ({
  readMetadata: async (xml, expected) => {
    if (!xml.startsWith('metadata ')) throw new SamlRefused('it is no XML')
    const metadata = JSON.parse(xml.slice('metadata '.length)) as SamlMetadata
    if (metadata.entityId !== expected) throw new SamlRefused(`it is of ${metadata.entityId}`)
    return metadata
  },
  fetchMetadata: async (url) => pages[url] ?? { failure: 'no answer within 5 seconds' },
  keyPairProblem: async ({ publicCert, privateKey }) =>
    publicCert === privateKey ? undefined : { field: 'private_key', reason: 'it is of another certificate' },
  requestUrl: async (service, { id, signOnUrl: to, relayState }) =>
    `${to}?${new URLSearchParams({ id, issuer: service.entityId, RelayState: relayState, ...(service.keys ? { signed: service.keys.publicCert } : {}) }).toString()}`,
  serviceMetadata: async ({ entityId: id, acsUrl: url }) => `<service ${id} ${url}>`,
  readAnswer: async (response, certificates) => {
    const { key, answer } = parsed(response)
    if (!certificates.includes(key)) throw new SamlRefused('the signature is invalid')
    return answer
  },
})

function parsed(response: string): { key: string; answer: SamlAnswer } {
  try {
    return JSON.parse(atob(response)) as { key: string; answer: SamlAnswer }
  } catch {
    throw new SamlRefused('it is no XML')
  }
}
