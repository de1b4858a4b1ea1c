/** The second factors of the signed-in user. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { integer, nullable, object, optional, ref, time } from '#/schema.ts'
import { identity } from '#/schemas/identity.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'
import { codes, confirmation, enrolment, SecondFactorType } from './second-factor-login.ts'

const tag = 'session'
const SecondFactor = ref('SecondFactor', object({ ...identity, type: SecondFactorType, timeLastUsed: optional(nullable(time())) }))
export const {
  currentUserSecondFactorList, currentUserSecondFactorUpdate, currentUserSecondFactorDelete,
} = plainOps('secondFactor', {
  verbs: ['List', 'Update', 'Delete'], response: SecondFactor, tag,
})

const ofUser = { tag, allow: 'user', bodyLimit: limits.bodyOfPasskey } as const
export const currentUserSecondFactorBegin = op({
  ...ofUser, method: 'POST', path: '/v1/me/second-factor/begin', ok: 201, ...enrolment,
})
export const currentUserSecondFactorConfirm = op({
  ...ofUser, method: 'POST', path: '/v1/me/second-factor/confirm', ok: 201, body: confirmation,
  response: ref('SecondFactorAdded', object({ factor: SecondFactor, codes })),
})
export const currentUserRecoveryCodesView = op({
  method: 'GET', path: '/v1/me/recovery-codes', allow: 'user', ok: 200, tag,
  response: ref('RecoveryCodesLeft', object({ left: integer() })),
})
export const currentUserRecoveryCodesReplace = op({
  method: 'POST', path: '/v1/me/recovery-codes', allow: 'user', ok: 201, tag,
  response: ref('RecoveryCodes', object({ codes })),
})

export const localIdpUserResetSecondFactor = op({
  method: 'POST', path: '/v1/system/identity-providers/local/users/{user_id}/reset-second-factor', ok: 204,
  tag: 'system/silos', allow: ['silo.admin', 'fleet.admin'], params: object({ userId: Uuid }), query: object({ silo: NameOrId }),
})
