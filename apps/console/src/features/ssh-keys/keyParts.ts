/** The parts of a public key: `TYPE BASE64 [COMMENT]`, the form of OpenSSH. */
import { fromBase64, toBase64 } from '@purlin/contract/wire'
import { sha256 } from '@noble/hashes/sha2.js'

/** The type and comment of a key; the comment may be empty. */
export function keyParts(publicKey: string): { type: string; data: string; comment: string } {
  const [type = '', data = '', ...comment] = publicKey.trim().split(/[ \t]+/)
  return { type, data, comment: comment.join(' ') }
}

/**
 * The fingerprint that ssh-keygen -l prints. Computed here because the browser's own digest exists on
 * secure origins only. Empty for a key that is damaged.
 */
export function keyFingerprint(publicKey: string): string {
  try {
    return `SHA256:${toBase64(sha256(fromBase64(keyParts(publicKey).data))).replace(/=+$/, '')}`
  } catch {
    return ''
  }
}
