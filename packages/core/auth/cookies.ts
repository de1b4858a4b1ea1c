/** Cookies (RFC 6265), of which scripts never get to see any. */

/**
 * The value of a cookie in a Cookie header, or null without it. Empty if there are several that differ: another site of the
 * same domain can add its own to ours, and nothing distinguishes them.
 */
export function cookieOf(header: string | undefined, name: string): string | null {
  let found: string | null = null
  for (const part of header?.split(';') ?? []) {
    const [key, value = ''] = part.trim().split('=')
    if (key !== name) continue
    if (found !== null && found !== value) return ''
    found = value
  }
  return found
}

export interface Cookie {
  name: string
  value: string
  /** The paths that it is sent to. */
  path: string
  /**
   * `Lax` sends it with links from other sites as well, `Strict` from our own pages only, `None` with everything from
   * other sites. Browsers accept `None` over TLS alone: without it, they get no rule, and apply their own.
   */
  sameSite: 'Lax' | 'Strict' | 'None'
  seconds: number
  /** Sends it over TLS only. */
  secure: boolean
}

/** The value of a Set-Cookie header. */
export function setCookie({ name, value, path, sameSite, seconds, secure }: Cookie): string {
  const rule = sameSite === 'None' && !secure ? '' : `; SameSite=${sameSite}`
  return `${name}=${value}; Path=${path}; HttpOnly${rule}; Max-Age=${seconds}${secure ? '; Secure' : ''}`
}
