/** The ports for repositories and zip files, whose code is loaded when it is needed for the first time. */
import type { RepositoryVerifier, Zips } from '@purlin/core/ports'

const load = async () => (await import('./verify.ts')).tufVerifier

/** Verifies repositories. */
export const lazyVerifier: RepositoryVerifier = {
  checkRoot: async (document) => (await load()).checkRoot(document),
  verify: async (zip, trust) => (await load()).verify(zip, trust),
}

/** The port for zip files, loaded in the same way. */
export const lazyZips: Zips = {
  async *pack(files, now) {
    yield* (await import('./zip-writer.ts')).packZip(files, now)
  },
  open: async (zip) => (await import('./zip.ts')).openZip(zip),
}
