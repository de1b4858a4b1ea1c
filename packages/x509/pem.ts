/** Text of PEM (RFC 7468). */

/** The bytes of base64 text. Throws if it is none, or has none. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text), (char) => char.codePointAt(0) ?? 0)
  if (bytes.length === 0) throw new Error('there is nothing in it')
  return bytes
}

/** Bytes as lines of base64. */
export const linesOf = (der: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(der), (byte) => String.fromCodePoint(byte)).join('')).replaceAll(
    /.{1,64}/g,
    '$&\n',
  )

/** The bytes of a key in PEM. */
export const keyInPem = (form: string, der: ArrayBuffer): string =>
  `-----BEGIN ${form}-----\n${linesOf(der)}-----END ${form}-----\n`
