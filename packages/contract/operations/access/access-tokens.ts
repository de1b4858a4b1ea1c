/** Access tokens, which programs sign in with: the settings of a silo, lists, and the device flow that makes them. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { boolean, enumOf, integer, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { mediaTypes } from '#/schemas/media-types.ts'
import { Name, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'
import { settingOps } from '../setting.ts'

const seconds = integer({ min: 1, max: 4_294_967_295, format: 'uint32' })

/** Of our own: left out by clients that do not know it, which keeps its value. */
const secondFactorRequired = optional(boolean())
export const { authSettingsView, authSettingsUpdate } = settingOps('authSettings', {
  path: '/v1/auth-settings', tag: 'silo', view: 'user', update: ['silo.admin', 'fleet.collaborator'],
  response: ref('SiloAuthSettings', object({
      siloId: Uuid, deviceTokenMaxTtlSeconds: optional(nullable(seconds)), secondFactorRequired,
    })),
  body: ref('SiloAuthSettingsUpdate', object({ deviceTokenMaxTtlSeconds: nullable(seconds), secondFactorRequired })),
})

const token = {
  id: Uuid, timeCreated: time(), timeExpires: optional(nullable(time())),
  // Of our own.
  name: optional(nullable(Name)), timeLastUsed: optional(nullable(time())),
}
const AccessToken = ref('DeviceAccessToken', object(token))
export const { currentUserAccessTokenList, currentUserAccessTokenDelete } = plainOps('accessToken', {
  verbs: ['List', 'Delete'], response: AccessToken, schema: 'DeviceAccessToken', tag: 'session',
})
/** Of our own: other tokens are made by the device flow. */
export const currentUserAccessTokenCreate = op({
  method: 'POST', path: currentUserAccessTokenList.path, allow: 'user', ok: 201, tag: 'session',
  body: ref('DeviceAccessTokenCreate', object({ name: Name, ttlSeconds: optional(nullable(seconds)) })),
  response: ref('DeviceAccessTokenValue', object({ ...token, token: string(unlimited) })),
})
export const userTokenList = op({
  ...currentUserAccessTokenList, path: '/v1/users/{user_id}/access-tokens', allow: ['self', 'silo.admin'], tag: 'silo',
  params: object({ userId: Uuid }),
})

const code = string({ maxLength: limits.deviceCode })
export const deviceAuthRequest = op({
  method: 'POST', path: '/device/auth', allow: 'public', ok: 200, tag: 'session', bodyType: mediaTypes.form,
  bodyLimit: limits.bodyOfSignIn,
  body: ref('DeviceAuthRequest', object({ clientId: Uuid, ttlSeconds: optional(nullable(seconds)) })),
  response: ref('DeviceAuthorization', object({
      deviceCode: string(unlimited), userCode: string(unlimited), verificationUri: string(unlimited),
      expiresIn: seconds, interval: seconds,
    })),
})
export const deviceAuthConfirm = op({
  method: 'POST', path: '/device/confirm', allow: 'user', ok: 204, tag: 'session', bodyLimit: limits.bodyOfSignIn,
  body: ref('DeviceAuthVerify', object({ userCode: code })),
})
export const deviceAccessToken = op({
  method: 'POST', path: '/device/token', allow: 'public', ok: 200, tag: 'session', bodyType: mediaTypes.form,
  errorFormat: 'oauth', bodyLimit: limits.bodyOfSignIn,
  body: ref('DeviceAccessTokenRequest', object({ grantType: code, deviceCode: string({ maxLength: limits.deviceCode, isSecret: true }), clientId: Uuid })),
  response: ref('DeviceAccessTokenGrant', object({
      accessToken: string(unlimited), tokenType: enumOf(['bearer']), tokenId: Uuid, timeExpires: nullable(time()),
    })),
})
