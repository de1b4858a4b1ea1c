/** Where a browser signs in. */
import type { World } from '@purlin/core/context'
import { Fault, fault } from '@purlin/core/faults'

/**
 * The address of the sign-in page for a host name, with the way back. The silo is the one that the host
 * `{silo}.sys.{zone}` names; where it names none, the first discoverable silo by name, for set-ups
 * without names of their own. Throws 400 if there is no host or no silo at all.
 */
export async function loginAddress(
  world: World,
  host: string | null,
  redirectUri: string | null,
): Promise<string> {
  if (host === null) throw fault.invalid('request missing "host" header')
  const silo = await siloOf(world, host)
  if (silo === undefined) throw fault.invalid(`HTTP request for unknown server name "${host}"`)
  const back = redirectUri === null ? '' : `?redirect_uri=${encodeURIComponent(redirectUri)}`
  return `/login/${silo}/local${back}`
}

async function siloOf(world: World, host: string): Promise<string | undefined> {
  const named = /^([a-z0-9-]{1,63})\.sys\./.exec(host.toLowerCase())?.[1] ?? ''
  return world.engine.transaction('read', async (tx) => {
    const local = tx.selectFrom('silo').select('name').where('identityMode', '=', 'local_only')
    const silo =
      (await local.where('name', '=', named).executeTakeFirst()) ??
      (await local.where('discoverable', '=', 1).orderBy('name').limit(1).executeTakeFirst())
    return silo?.name
  })
}

/**
 * Throws 400 unless a way back stays on this site. Browsers read `\` as `/` and skip tabs and line ends,
 * so those could hide another site's name.
 */
export function checkRelative(redirectUri: string): void {
  const stays = /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(redirectUri)
  if (!stays)
    throw new Fault(400, `unable to parse query string: redirect_uri: "${redirectUri}" is not a relative URI`)
}
