/** Certificates for the host name of a silo. */
import { limits } from '#/rules/limits.ts'
import { array, enumOf, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { identity } from '#/schemas/identity.ts'
import { plainOps } from '../plain.ts'

const Service = ref('ServiceUsingCertificate', enumOf(['external_api']))
const text = string(unlimited)

const fields = {
  cert: string({ maxLength: limits.certificate.pem }),
  key: string({ maxLength: limits.certificate.pem, isSecret: true }),
  service: Service,
}
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

// Certificates of the caller's silo by name; those of any silo by id, for an admin of the fleet.
const allow = ['silo.admin', 'fleet.admin'] as const
export const { certificateList, certificateCreate, certificateView, certificateDelete } = plainOps('certificate', {
  verbs: ['List', 'Create', 'View', 'Delete'], response: Certificate, create: fields, tag: 'silos',
  allow: { List: allow, Create: allow, View: allow, Delete: allow },
})
