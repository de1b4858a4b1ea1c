/** An authenticator for tests, with one passkey (Web Authentication, Level 2): ES256, without attestation. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const base64Url = (data: Uint8Array) => Buffer.from(data).toString('base64url')
/** CBOR (RFC 8949): a text of up to 23 bytes, and 24 to 255 bytes. */
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
const bytes = (data: Uint8Array) => Buffer.concat([Buffer.from([0x58, data.length]), data])

/** The page that asks. */
interface Page {
  challenge: string
  origin: string
  host: string
}

export function createAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const credentialId = base64Url(id)
  let counter = 0

  const clientDataOf = (type: string, { challenge, origin }: Page) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorDataOf = ({ host }: Page, flags: number, rest: Uint8Array = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, rest])
  }
  /** The key as COSE has it: EC2, ES256, P-256, and both coordinates. */
  const coseKey = () => {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const coordinate = (label: number, value: string) =>
      Buffer.concat([Buffer.from([label, 0x58, 32]), Buffer.from(value, 'base64url')])
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
      coordinate(0x21, x),
      coordinate(0x22, y),
    ])
  }

  return {
    credentialId,
    /** Makes its passkey known. */
    register(page: Page) {
      const about = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey()])
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(authenticatorDataOf(page, 0x41, about)),
      ])
      const clientData = base64Url(clientDataOf('webauthn.create', page))
      return {
        type: 'passkey',
        credential_id: credentialId,
        client_data: clientData,
        attestation: base64Url(attestation),
      }
    },
    /** Signs a challenge. With `counts` given, it says that it was used that often. */
    prove(page: Page, counts = counter + 1) {
      counter = counts
      const clientData = clientDataOf('webauthn.get', page)
      const data = authenticatorDataOf(page, 0x01)
      return {
        type: 'passkey',
        credential_id: credentialId,
        client_data: base64Url(clientData),
        authenticator_data: base64Url(data),
        signature: base64Url(sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)),
      }
    },
  }
}
