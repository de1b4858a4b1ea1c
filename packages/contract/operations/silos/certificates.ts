/** Certificates for the host name of a silo. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { array, enumOf, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { identity, identityCreate } from '#/schemas/identity.ts'
import { byName, page } from '#/schemas/page.ts'
import { NameOrId } from '#/schemas/scalar.ts'

const Service = ref('ServiceUsingCertificate', enumOf(['external_api']))
const text = string(unlimited)

export const CertificateCreate = ref(
  'CertificateCreate',
  object({
    ...identityCreate,
    /** A chain in PEM, the certificate of the silo first. */
    cert: string({ maxLength: limits.certificate.pem }),
    /** Its private key in PEM. */
    key: string({ maxLength: limits.certificate.pem }),
    service: Service,
  }),
)
/** The key is never shown. */
const Certificate = ref(
  'Certificate',
  object({
    ...identity,
    cert: text,
    service: Service,
    /** These are read from the certificate, and not part of the original API. */
    subject: optional(text),
    issuer: optional(text),
    dnsNames: optional(array(text, unlimited)),
    notBefore: optional(time()),
    notAfter: optional(time()),
  }),
)

// Those of the own silo by name; those of any silo by id, for an admin of the fleet.
const common = { tag: 'silos', allow: ['silo.admin', 'fleet.admin'] } as const
const ofOne = { ...common, path: '/v1/certificates/{certificate}', params: object({ certificate: NameOrId }) } as const

export const certificateList = op({
  ...common, method: 'GET', path: '/v1/certificates', ok: 200, summary: 'List the certificates of the silo',
  query: object(byName), response: ref('CertificateResultsPage', page(Certificate)),
})
export const certificateCreate = op({
  ...common, method: 'POST', path: '/v1/certificates', ok: 201, summary: 'Add a certificate to the silo',
  body: CertificateCreate, response: Certificate,
})
export const certificateView = op({ ...ofOne, method: 'GET', ok: 200, summary: 'Show a certificate', response: Certificate })
export const certificateDelete = op({ ...ofOne, method: 'DELETE', ok: 204, summary: 'Delete a certificate' })
