/** Media types of bodies and answers. */
export const mediaTypes = {
  json: 'application/json',
  /** The fields of a form. */
  form: 'application/x-www-form-urlencoded',
  /** Bytes as they are. */
  bytes: 'application/octet-stream',
  /** A file of files. */
  zip: 'application/zip',
  /** JSON of SCIM (RFC 7644, section 3.1). */
  scim: 'application/scim+json',
} as const
export type MediaType = (typeof mediaTypes)[keyof typeof mediaTypes]
