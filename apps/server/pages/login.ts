/** The sign-in address for browsers. */
import { quoted } from '@purlin/contract/rules/messages'
import { Fault, fault, siloOfHost, type World } from '@purlin/core'

/** The address of the sign-in page for a host name, with the page to return to. Throws 400 without a host or a silo. */
export async function loginAddress(
  world: World,
  host: string | undefined,
  redirectUri: string | null,
): Promise<string> {
  if (host === undefined) throw fault.invalid('request missing "host" header')
  const silo = await siloOfHost(world, host)
  if (silo === undefined) throw fault.invalid(`HTTP request for unknown server name "${quoted(host)}"`)
  const back = redirectUri === null ? '' : `?redirect_uri=${encodeURIComponent(redirectUri)}`
  return `/login/${silo}/local${back}`
}

/**
 * Throws 400 unless the address to return to is on this site. Browsers read `\` as `/` and skip tabs and line
 * ends, so those could hide another site's name.
 */
export function checkRelative(redirectUri: string): void {
  const stays = /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(redirectUri)
  if (!stays)
    throw new Fault(
      400,
      `unable to parse query string: redirect_uri: "${quoted(redirectUri)}" is not a relative URI`,
    )
}
