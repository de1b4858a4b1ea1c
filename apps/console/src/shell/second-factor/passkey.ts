/** Questions to the browser's authenticators. Their code is loaded when one is asked. */
import { passkeyAlgorithms } from '@purlin/contract/rules/credentials/second-factors'

interface Question {
  challenge: string
  host: string
  credentialIds: string[]
}
const type = 'public-key'
const userVerification = 'preferred'
const listOf = (ids: readonly string[]) => ids.map((id) => ({ id, type }) as const)

/** False in browsers, and on pages without TLS, that have no passkeys. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window

/** Answers a challenge with a passkey. Throws if the user cancels. */
export async function answerWithPasskey({ challenge, host, credentialIds }: Question) {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = {
    challenge,
    rpId: host,
    allowCredentials: listOf(credentialIds),
    userVerification,
  } as const
  const { id, response } = await startAuthentication({ optionsJSON })
  const { clientDataJSON: clientData, authenticatorData, signature } = response
  return { type: 'passkey', credentialId: id, clientData, authenticatorData, signature } as const
}

/** Makes a passkey. Throws if the user cancels. */
export async function makePasskey(question: Question & { userHandle: string; username: string }) {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const { challenge, host, credentialIds, userHandle, username } = question
  const { id, response } = await startRegistration({
    optionsJSON: {
      challenge,
      rp: { id: host, name: 'Purlin' },
      user: { id: userHandle, name: username, displayName: username },
      pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ alg, type })),
      excludeCredentials: listOf(credentialIds),
      authenticatorSelection: { residentKey: 'discouraged', userVerification },
      attestation: 'none',
    },
  })
  const { clientDataJSON: clientData, attestationObject: attestation } = response
  return { type: 'passkey', credentialId: id, clientData, attestation } as const
}
