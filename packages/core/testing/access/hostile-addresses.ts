/** For tests: addresses that lead, or look as if they led, from a sign-in to the site `evil.example`. */

const host = 'evil.example'
/** Read as a slash by a browser, by one of its older versions, or by code that decodes once too often. */
const slashes = ['/', '\\', '%2f', '%2F', '%5c', '%252f', '\uff0f', '\u2215', '\u2044', '\u29f8', '\ufe68']
/** Skipped by a browser, or by code that trims. */
const skipped = [
  '\t',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '\0',
  '\u00a0',
  '\u200b',
  '\u2028',
  '\ufeff',
  '%09',
  '%0a',
  '%00',
]
const schemes = ['http', 'https', 'HTTPS', 'javascript', 'data', 'ftp', 'file', 'blob', 'ws']

export const hostileAddresses: readonly string[] = [
  ...new Set([
    ...slashes.flatMap((one) => slashes.map((two) => `${one}${two}${host}`)),
    ...skipped.flatMap((one) => [
      `${one}//${host}`,
      `/${one}/${host}`,
      `//${one}${host}`,
      `${one}/\\${host}`,
      `${one}https://${host}`,
      `https:${one}//${host}`,
      `java${one}script:alert(1)`,
    ]),
    ...schemes.flatMap((one) => [
      `${one}:${host}`,
      `${one}:/${host}`,
      `${one}://${host}`,
      `${one}:\\\\${host}`,
    ]),
    `///${host}`,
    `////${host}`,
    `/a/..//${host}`,
    `/..//${host}`,
    `/.//${host}`,
    `/%2e//${host}`,
    `/%2e%2e//${host}`,
    `/a/%2e%2e//${host}`,
    `/./\\${host}`,
    `/a\\..\\\\${host}`,
    `/a?b\\${host}`,
    `//user:password@${host}/`,
    `/@${host}`,
    `@${host}`,
    `.${host}`,
    `:80@${host}`,
    `//cloud.test@${host}`,
    `//${host}:443/projects`,
    `//[::1]/`,
    `//0x7f000001/`,
    `//${host}%23.cloud.test`,
    `https://cloud.test.${host}`,
    `?redirect_uri=//${host}`,
    `#//${host}`,
    '',
    'projects',
    '/projects\r\nSet-Cookie: session=0',
    '/\ud800',
  ]),
]

/** Where a browser on a page of `origin` goes; undefined if it goes nowhere. */
export const destination = (address: string, origin: string): string | undefined =>
  URL.canParse(address, origin) ? new URL(address, origin).origin : undefined
