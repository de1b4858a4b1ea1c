/** The bodies of errors, in the format that an operation has for them. */
import type { ErrorFormat } from '@purlin/contract/op'
import { mediaTypes, type MediaType } from '@purlin/contract/schemas/media-types'
import type { Fault } from '#/faults.ts'

interface ErrorBody {
  type: MediaType
  body: object
}
type Write = (fault: Fault, requestId: string) => ErrorBody

const envelope: Write = ({ code, message, quota, entry }, requestId) => ({
  type: mediaTypes.json,
  body: {
    request_id: requestId,
    ...(code ? { error_code: code } : {}),
    message,
    ...(quota ? { quota } : {}),
    ...(entry ? { entry } : {}),
  },
})

// RFC 8628, section 3.5, and RFC 6749, section 5.2. Clients know no others; these have the envelope of the API.
const oauthErrors = new Set([
  'authorization_pending',
  'slow_down',
  'expired_token',
  'access_denied',
  'invalid_grant',
  'unsupported_grant_type',
])

// RFC 7644, section 3.12, table 9
const scimTypes = new Set([
  'invalidFilter',
  'tooMany',
  'uniqueness',
  'mutability',
  'invalidSyntax',
  'invalidPath',
  'noTarget',
  'invalidValue',
  'invalidVers',
  'sensitive',
])

/** The kind of an error: its own, or that of a request that cannot be read, or of a value that is taken. */
function scimTypeOf(status: number, code: string | undefined): { scimType?: string } {
  if (code !== undefined && scimTypes.has(code)) return { scimType: code }
  if (status === 400 && code === undefined) return { scimType: 'invalidSyntax' }
  return status === 409 ? { scimType: 'uniqueness' } : {}
}

const formats: Record<ErrorFormat, Write> = {
  oauth: (fault, requestId) =>
    fault.code !== undefined && oauthErrors.has(fault.code)
      ? { type: mediaTypes.json, body: { error: fault.code } }
      : envelope(fault, requestId),
  scim: ({ status, code, message }) => ({
    type: mediaTypes.scim,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...scimTypeOf(status, code),
      detail: message,
    },
  }),
}

/** The body of a fault and its media type: the envelope of the API unless the operation has another format. */
export const errorBodyOf = (fault: Fault, requestId: string, format: ErrorFormat | undefined): ErrorBody =>
  (format ? formats[format] : envelope)(fault, requestId)
