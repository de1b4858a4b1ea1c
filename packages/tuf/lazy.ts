/** The port for repositories, whose code is loaded when something is verified for the first time. */
import type { RepositoryVerifier } from '@purlin/core/ports'

const load = async () => (await import('./verify.ts')).tufVerifier

export const lazyVerifier: RepositoryVerifier = {
  checkRoot: async (document) => (await load()).checkRoot(document),
  verify: async (zip, trust) => (await load()).verify(zip, trust),
}
