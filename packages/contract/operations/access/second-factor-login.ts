/** The second step of a sign-in, after the password. The sign-in page loads no other operations. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { factorTypes } from '#/rules/credentials/second-factors.ts'
import { array, enumOf, object, optional, ref, string, union, unlimited } from '#/schema.ts'
import { Name } from '#/schemas/scalar.ts'

const tag = 'session'
const { code, credentialId, clientData, authenticatorData, signature, attestation } = limits.secondFactor
const text = (maxLength: number) => string({ maxLength })
const secretCode = string({ maxLength: code, isSecret: true })
const inSilo = { params: object({ siloName: Name }), tag, bodyLimit: limits.bodyOfPasskey, allow: 'public' } as const
const path = '/v1/login/{silo_name}/local/second-factor'

const ids = array(string(unlimited), unlimited)
/** A question to an authenticator. Binary values are base64url. */
const asked = { challenge: string(unlimited), host: string(unlimited), credentialIds: ids }
const type = enumOf(factorTypes)
export const SecondFactorType = ref('SecondFactorType', type)

/** The beginning of a new factor. */
export const enrolment = {
  body: ref('SecondFactorBegin', object({ type: SecondFactorType })),
  response: ref('SecondFactorBegun', union('type', {
      totp: { secret: string(unlimited), address: string(unlimited) },
      passkey: { ...asked, userHandle: string(unlimited), username: string(unlimited) },
    })),
}
/** The proof that the new factor works. */
export const confirmation = ref('SecondFactorConfirm', object({
    name: Name,
    proof: ref('NewSecondFactor', union('type', {
        totp: { code: secretCode },
        passkey: { credentialId: text(credentialId), clientData: text(clientData), attestation: text(attestation) },
      })),
  }))
export const codes = array(string(unlimited), unlimited)

export const loginSecondFactorView = op({
  ...inSilo, method: 'GET', path, ok: 200,
  response: ref('SecondFactorChallenge', object({
      step: enumOf(['prove', 'add']), types: array(SecondFactorType, unlimited),
      passkey: optional(ref('PasskeyChallenge', object(asked))),
    })),
})
export const loginSecondFactor = op({
  ...inSilo, method: 'POST', path, ok: 204, signsIn: true,
  body: ref('SecondFactorProof', union('type', {
      totp: { code: secretCode },
      recovery_code: { code: secretCode },
      passkey: {
        credentialId: text(credentialId), clientData: text(clientData),
        authenticatorData: text(authenticatorData), signature: text(signature),
      },
    })),
})
export const loginSecondFactorBegin = op({
  ...inSilo, method: 'POST', path: `${path}/begin`, ok: 201, ...enrolment,
})
export const loginSecondFactorConfirm = op({
  ...inSilo, method: 'POST', path: `${path}/confirm`, ok: 201, signsIn: true,
  body: confirmation, response: ref('RecoveryCodes', object({ codes })),
})
