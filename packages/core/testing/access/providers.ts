/** Identity providers in the silos of a test. */
import { createOidcProvider, createProvider } from '#/seed/rows.ts'
import type { TestWorld } from '../world.ts'
import { clientId, issuer, testDiscovery } from './oidc.ts'
import { acsUrl, certificate, entityId, serviceEntityId, signOnUrl } from './saml.ts'

/** Adds a provider to a silo of any mode, and returns its id. */
export const addProvider = ({ world, ids }: TestWorld, silo: string, name: string): Promise<string> =>
  world.engine.transaction('write', (tx) =>
    createProvider(world, tx, {
      siloId: ids[silo] ?? '',
      name,
      description: '',
      settings: { entityId, serviceEntityId, acsUrl, groupAttribute: 'groups' },
      metadata: { entityId, signOnUrl, certificates: [certificate('key')] },
    }),
  )

/** Adds a provider of OpenID Connect to a silo of any mode, and returns its id. */
export const addOidcProvider = ({ world, ids }: TestWorld, silo: string, name: string): Promise<string> =>
  world.engine.transaction('write', (tx) =>
    createOidcProvider(world, tx, {
      siloId: ids[silo] ?? '',
      name,
      description: '',
      settings: { issuer, clientId, clientSecret: 'secret', nameClaim: 'sub', groupsClaim: 'groups' },
      metadata: testDiscovery(),
    }),
  )
