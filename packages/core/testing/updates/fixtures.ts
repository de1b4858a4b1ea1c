/** Repositories of system updates, made by another implementation of TUF: see `packages/tuf/fixtures/make.py`. */
import { readFileSync } from 'node:fs'

/** The folder with the repositories and root documents. */
export const updateFixtures = new URL('../../../tuf/fixtures/', import.meta.url)

/** The bytes of one of them, which the caller may keep. */
export const updateFixture = (name: string) => new Uint8Array(readFileSync(new URL(name, updateFixtures)))

/** A root document. */
export const rootDocument = (name = 'root.json'): unknown =>
  JSON.parse(readFileSync(new URL(name, updateFixtures), 'utf8'))
