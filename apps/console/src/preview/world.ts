/** The ports of the preview's control plane: the browser's clock and randomness, simulated sleds, SQLite in memory. */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import type { World } from '@purlin/core'
import type { Engine, Passwords } from '@purlin/core/ports'
import { demoPastMs } from '@purlin/core/seed'
import { createMemoryBlobs } from '@purlin/databases/blobs-in-memory'
import { createSimulatedSleds, forDemo } from '@purlin/sleds/sim'
import { lazyCertificates } from '@purlin/x509/lazy'
import { lazyCodes } from '@purlin/factors/lazy'
import { createMemoryFiles } from '@purlin/databases/files/in-memory'
import { lazyZips } from '@purlin/tuf/lazy'
import { lazyVerifier } from './verifier.ts'

/** The database, among the files of the build. */
export const demoFile = 'preview.sqlite'

const digest = (text: string) => bytesToHex(sha256(new TextEncoder().encode(text)))

// The password protects nothing, as the sign-in page of the preview shows it: a costly hash would only delay the page.
const passwords: Passwords = {
  hash: (password) => {
    const salt = bytesToHex(randomBytes(16))
    return Promise.resolve(`${salt}$${digest(salt + password)}`)
  },
  verify: (hash, password) => {
    const [salt = ''] = hash.split('$')
    return Promise.resolve(hash === `${salt}$${digest(salt + password)}`)
  },
  isOutdated: () => false,
  common: () => Promise.resolve(new Set()),
  fingerprint: digest,
  sign: (key, text) =>
    bytesToHex(hmac(sha256, new TextEncoder().encode(key), new TextEncoder().encode(text))),
}

const toConsole =
  (write: (...parts: unknown[]) => void) =>
  (fields: Record<string, unknown>, message: string): void =>
    write(message, fields)

interface Ports {
  engine: Engine
  clock: World['clock']
  /** WebCrypto, which reads them, is there. */
  readsCertificates: boolean
}

/** Its state lasts as long as the page. */
export const openWorld = ({ engine, clock, readsCertificates }: Ports): World => ({
  engine,
  clock,
  ids: { uuid: () => crypto.randomUUID(), bytes: (n) => randomBytes(n) },
  passwords,
  sleds: createSimulatedSleds({ clock, ...forDemo(demoPastMs) }),
  blobs: createMemoryBlobs(),
  webhooks: {
    send: () =>
      Promise.resolve({ result: 'failed_unreachable', reason: 'The preview cannot send webhooks.' }),
    stop: () => undefined,
  },
  oidc: 'the preview cannot reach identity providers',
  saml: 'the preview cannot verify signatures of identity providers',
  secondFactors: { codes: lazyCodes, passkeys: 'the preview has no passkeys' },
  updates: { files: createMemoryFiles(), verifier: lazyVerifier },
  imageImports: 'the preview cannot import images: it runs in the browser',
  bundles: { files: createMemoryFiles(), zips: lazyZips },
  sha256: () => {
    const hash = sha256.create()
    return { update: (bytes) => void hash.update(bytes), hex: () => bytesToHex(hash.digest()) }
  },
  certificates: readsCertificates ? lazyCertificates : 'the browser reads certificates over TLS alone',
  log: { info: () => undefined, warn: toConsole(console.warn), error: toConsole(console.error) },
  sessions: { idleMs: 8 * 3_600_000, absoluteMs: 24 * 3_600_000 },
})
