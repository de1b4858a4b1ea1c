/**
 * Algorithms of signatures that xml-crypto does not have: those of keys on curves (RFC 9231, sections 2.3.6 and 2.1.3), and
 * SHA-384. It takes them in two tables of each `SignedXml`. The SAML library creates those objects itself, so they get
 * the algorithms when a signature is loaded.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyLike,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { type HashAlgorithm, type SignatureAlgorithm, SignedXml } from 'xml-crypto'

const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const sha384 = `${more}sha384`
/** The curves that keys of providers may be on, as OpenSSL names them: P-256, P-384 and P-521. */
const curves = ['prime256v1', 'secp384r1', 'secp521r1']

/** True for a key whose signatures can be verified. */
export const isSupportedKey = ({
  asymmetricKeyType: type,
  asymmetricKeyDetails: details,
}: KeyObject): boolean => type === 'rsa' || (type === 'ec' && curves.includes(details?.namedCurve ?? ''))

/** An algorithm whose keys are of one type. A signature by another type is never valid, whatever the key. */
function algorithmOf(name: string, type: 'rsa' | 'ec', hash: string): new () => SignatureAlgorithm {
  // XML has the two numbers of a signature on a curve without an envelope.
  const dsaEncoding = 'ieee-p1363' as const
  class Algorithm {
    getAlgorithmName = () => name
    getSignature(text: string, key: KeyLike): string {
      const secret = createPrivateKey(key as string)
      return sign(hash, Buffer.from(text), { key: secret, dsaEncoding }).toString('base64')
    }
    verifySignature(text: string, key: KeyLike, signature: string): boolean {
      const publicKey = createPublicKey(key)
      if (publicKey.asymmetricKeyType !== type || !isSupportedKey(publicKey)) return false
      return verify(
        hash,
        Buffer.from(text),
        { key: publicKey, dsaEncoding },
        Buffer.from(signature, 'base64'),
      )
    }
  }
  return Algorithm as object as new () => SignatureAlgorithm
}

class Sha384 implements HashAlgorithm {
  getAlgorithmName = () => sha384
  getHash = (text: string): string => createHash('sha384').update(text, 'utf8').digest('base64')
}

const signing: Record<string, new () => SignatureAlgorithm> = {}
for (const [type, hash] of [
  ['ec', 'sha256'],
  ['ec', 'sha384'],
  ['ec', 'sha512'],
  ['rsa', 'sha384'],
] as const) {
  const name = `${more}${type === 'ec' ? 'ecdsa' : 'rsa'}-${hash}`
  signing[name] = algorithmOf(name, type, hash)
}

/** Adds the algorithms to one object of xml-crypto. */
export function addAlgorithms({ SignatureAlgorithms, HashAlgorithms }: SignedXml): void {
  Object.assign(SignatureAlgorithms, signing)
  HashAlgorithms[sha384] = Sha384
}

/** Adds them to each object that verifies a signature from now on. */
export function addAlgorithmsToAll(): void {
  // oxlint-disable-next-line unbound-method -- called with its object below
  const { loadSignature } = SignedXml.prototype
  SignedXml.prototype.loadSignature = function load(this: SignedXml, node) {
    addAlgorithms(this)
    loadSignature.call(this, node)
  }
}

/** The algorithms that answers may be signed with. None has SHA-1. */
export const allowedAlgorithms: Readonly<Record<string, ReadonlySet<string>>> = {
  SignatureMethod: new Set([
    `${more}rsa-sha256`,
    `${more}rsa-sha512`,
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
    ...Object.keys(signing),
  ]),
  DigestMethod: new Set([
    'http://www.w3.org/2001/04/xmlenc#sha256',
    'http://www.w3.org/2001/04/xmlenc#sha512',
    sha384,
  ]),
}
