/** Verifies repositories in the page. Its code is loaded with the first one. */
import type { World } from '@purlin/core'

type Verifier = NonNullable<World['updates']>['verifier']

async function load(): Promise<Verifier> {
  const { WebBuffer } = await import('@purlin/tuf/web')
  // The packages of TUF expect Node's.
  if (!('Buffer' in globalThis)) Object.assign(globalThis, { Buffer: WebBuffer })
  return (await import('@purlin/tuf/verify')).tufVerifier
}

export const lazyVerifier: Verifier = {
  checkRoot: async (document) => (await load()).checkRoot(document),
  verify: async (zip, trust) => (await load()).verify(zip, trust),
}
