/** One-time codes (RFC 6238) by otpauth: SHA-1, 6 digits and 30 s, which all apps know. */
import type { OneTimeCodes } from '@purlin/core/ports'
import { Secret, TOTP } from 'otpauth'

const period = 30
const parameters = { algorithm: 'SHA1', digits: 6, period } as const
// Clocks of phones differ by some seconds, and people take some to type.
const window = 1

export const oneTimeCodes: OneTimeCodes = {
  secretOf: (bytes) => Promise.resolve(new Secret({ buffer: bytes.slice().buffer }).base32),
  addressOf: ({ secret, issuer, account }) =>
    Promise.resolve(new TOTP({ ...parameters, issuer, label: account, secret }).toString()),
  stepOf(secret, code, now) {
    const delta = TOTP.validate({
      ...parameters,
      token: code,
      secret: Secret.fromBase32(secret),
      timestamp: now,
      window,
    })
    return Promise.resolve(delta === null ? null : Math.floor(now / 1000 / period) + delta)
  },
}
