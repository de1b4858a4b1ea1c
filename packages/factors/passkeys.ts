/** Passkeys by @simplewebauthn/server. As a second factor they need no PIN or fingerprint: the password is the first. */
import type { Passkeys } from '@purlin/core/ports'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { isoBase64URL } from '@simplewebauthn/server/helpers'

const requireUserVerification = false
const type = 'public-key'
const clientExtensionResults = {}

export const webPasskeys: Passkeys = {
  async register({ credentialId: id, clientData: clientDataJSON, attestation }, expected) {
    const response = { clientDataJSON, attestationObject: attestation }
    const { verified, registrationInfo } = await orRefused(
      verifyRegistrationResponse({
        response: { id, rawId: id, type, clientExtensionResults, response },
        ...expectationOf(expected),
        requireUserVerification,
      }),
    )
    if (!verified || !registrationInfo) return null
    const { credential } = registrationInfo
    return {
      credentialId: credential.id,
      publicKey: isoBase64URL.fromBuffer(credential.publicKey),
      counter: credential.counter,
    }
  },

  async verify({ credentialId: id, clientData: clientDataJSON, ...answer }, expected, passkey) {
    const { credentialId, publicKey, counter } = passkey
    const { verified, authenticationInfo } = await orRefused(
      verifyAuthenticationResponse({
        response: { id, rawId: id, type, clientExtensionResults, response: { clientDataJSON, ...answer } },
        ...expectationOf(expected),
        credential: { id: credentialId, publicKey: isoBase64URL.toBuffer(publicKey), counter },
        requireUserVerification,
      }),
    )
    return verified && authenticationInfo ? authenticationInfo.newCounter : null
  },
}

const expectationOf = ({ challenge, origin, rpId }: { challenge: string; origin: string; rpId: string }) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: rpId,
})

interface Refused {
  verified: false
  registrationInfo?: never
  authenticationInfo?: never
}

/** The library throws for most answers that do not fit, and for texts that are no answers. */
const orRefused = <T>(verification: Promise<T>): Promise<T | Refused> =>
  verification.catch(() => ({ verified: false }))
