/**
 * Stand-ins for the parts of Node that the packages of TUF call, for browsers: the build replaces `crypto` and `util` by
 * this module. A test compares it with Node on every signature of the fixtures.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'

type Bytes = Uint8Array<ArrayBuffer>
const encoded = new TextEncoder()
const decoded = new TextDecoder()

class WebBytes extends Uint8Array<ArrayBuffer> {
  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, i) => byte === other[i])
  }
  override toString(encoding?: string): string {
    return encoding === 'hex' ? bytesToHex(this) : decoded.decode(this)
  }
}

/** The part of Node's Buffer that they call. */
export const WebBuffer = {
  from(data: string | Iterable<number>, encoding?: string): WebBytes {
    if (typeof data !== 'string') return new WebBytes(Uint8Array.from(data).buffer)
    return new WebBytes((encoding === 'hex' ? hexOf(data) : encoded.encode(data)).buffer)
  },
  concat: (parts: readonly Uint8Array[]): WebBytes => WebBuffer.from(concatBytes(...parts)),
}

/** Node ends at the first character that is no hex. */
function hexOf(text: string): Bytes {
  const [digits = ''] = /^(?:[0-9a-f]{2})*/i.exec(text) ?? []
  return Uint8Array.from(hexToBytes(digits))
}

interface PublicKey {
  verify(data: Uint8Array, signature: Uint8Array): boolean
}
/** The beginnings of a SubjectPublicKeyInfo (RFC 8410; RFC 5480): everything before the key itself. */
const algorithms: [header: string, length: number, make: (key: Uint8Array) => PublicKey][] = [
  [
    '302a300506032b6570032100',
    32,
    (key) => ({ verify: (data, signature) => ed25519.verify(signature, data, key, { zip215: false }) }),
  ],
  [
    '3059301306072a8648ce3d020106082a8648ce3d030107034200',
    65,
    (key) => ({
      // SHA-256, as Node has it for a key of this kind.
      verify: (data, signature) => p256.verify(signature, data, key, { format: 'der', lowS: false }),
    }),
  ],
]

/** Reads a public key in PEM or DER. Throws for other algorithms than Ed25519 and ECDSA with P-256. */
export function createPublicKey(source: string | { key: Uint8Array }): PublicKey {
  const der =
    typeof source === 'string'
      ? Uint8Array.from(atob(source.replaceAll(/-----[A-Z ]+-----|\s/g, '')), (char) => char.charCodeAt(0))
      : source.key
  const hex = bytesToHex(der)
  for (const [header, length, make] of algorithms)
    if (hex.startsWith(header) && der.length === header.length / 2 + length) return make(der.slice(-length))
  throw new Error('this browser cannot verify keys of this kind')
}

/** Whether a signature is that of a key. Its arguments are Node's: algorithm, data, key and signature. */
export const verify = (
  ...[, data, { key }, signature]: [undefined, Uint8Array, { key: PublicKey }, Uint8Array]
): boolean => key.verify(Uint8Array.from(data), Uint8Array.from(signature))

const hashes = { sha256, sha512 }

/** A hash of bytes. Throws for other algorithms than SHA-256 and SHA-512. */
export function createHash(name: string) {
  if (name !== 'sha256' && name !== 'sha512') throw new Error(`unknown hash ${name}`)
  const hash = hashes[name].create()
  const made = {
    update(data: Uint8Array) {
      hash.update(Uint8Array.from(data))
      return made
    },
    digest: () => bytesToHex(hash.digest()),
  }
  return made
}

/** The paddings of RSA, whose keys are refused. */
export const constants = { RSA_PKCS1_PSS_PADDING: 6 }

/** Whether two values of JSON are the same. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other
  const [a, b] = [Object.entries(one), new Map<string, unknown>(Object.entries(other))]
  return a.length === b.size && a.every(([key, value]) => b.has(key) && isDeepStrictEqual(value, b.get(key)))
}

export default { createPublicKey, verify, createHash, constants, isDeepStrictEqual }
