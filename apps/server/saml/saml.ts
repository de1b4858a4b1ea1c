/** Core's port for SAML, by `@node-saml/node-saml`. Decision 0074. */
import type { Saml } from '@purlin/core/ports'
import type { ConnectingOptions } from '../webhooks/connecting.ts'
import { createMetadataFetching } from './fetch-metadata.ts'

/** The libraries are loaded when a provider is first used. */
export const createSaml = (options: ConnectingOptions): Saml => ({
  readMetadata: async (xml, entityId) => (await import('./metadata.ts')).readMetadata(xml, entityId),
  fetchMetadata: createMetadataFetching(options),
  keyPairProblem: async (keys) => (await import('./service-provider.ts')).keyPairProblem(keys),
  requestUrl: async (service, request) =>
    (await import('./service-provider.ts')).requestUrl(service, request),
  serviceMetadata: async (service) => (await import('./service-provider.ts')).serviceMetadata(service),
  readAnswer: async (response, certificates) =>
    (await import('./answers.ts')).readAnswer(response, certificates),
})
