/** The port of second factors: one-time codes (RFC 6238) and passkeys (Web Authentication, Level 2). */

/** One-time codes of 6 digits, each for 30 s. */
export interface OneTimeCodes {
  /** A secret of these bytes, in base32 (RFC 4648). */
  secretOf(bytes: Uint8Array): Promise<string>
  /** The address with the secret that apps read from a QR code (`otpauth:`). */
  addressOf(of: { secret: string; issuer: string; account: string }): Promise<string>
  /** The number of the 30 s that a code is for: now, the ones before or the ones after; null for a wrong code. */
  stepOf(secret: string, code: string, now: number): Promise<number | null>
}

/** A passkey as it is stored. Binary values are base64url. */
export interface Passkey {
  credentialId: string
  publicKey: string
  /** How often it was used, as its authenticator counts; 0 if that does not count. */
  counter: number
}

/** An answer of an authenticator must be for these. */
export interface PasskeyExpectation {
  challenge: string
  /** The origin of the page. */
  origin: string
  /** The host name that the passkey is for. */
  rpId: string
}

/** An authenticator's new credential. Binary values are base64url. */
export interface PasskeyRegistration {
  credentialId: string
  clientData: string
  attestation: string
}

/** An authenticator's answer to a challenge. Binary values are base64url. */
export interface PasskeyAssertion {
  credentialId: string
  clientData: string
  authenticatorData: string
  signature: string
}

export interface Passkeys {
  /** The passkey that was made; null if the answer does not fit. */
  register(answer: PasskeyRegistration, expected: PasskeyExpectation): Promise<Passkey | null>
  /** The new count of a passkey's uses; null if the answer does not fit. */
  verify(answer: PasskeyAssertion, expected: PasskeyExpectation, passkey: Passkey): Promise<number | null>
}

export interface SecondFactors {
  codes: OneTimeCodes
  /** Or the reason why this platform has none, for people. */
  passkeys: Passkeys | string
}
