/** Of our own: accounts of a silo for programs, and the keys that those sign their requests with. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { boolean, integer, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { identity } from '#/schemas/identity.ts'
import { byIdOf, page } from '#/schemas/page.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const tag = 'system/silos'
const allow = ['silo.admin', 'fleet.admin'] as const
export const {
  serviceAccountList, serviceAccountCreate, serviceAccountView, serviceAccountUpdate, serviceAccountDelete,
} = plainOps('serviceAccount', {
  response: ref('ServiceAccount', object({ ...identity, disabled: boolean() })),
  update: { disabled: optional(nullable(boolean())) },
  allow: { List: allow, Create: allow, View: allow, Update: allow, Delete: allow }, tag,
})

const { path, params, query } = serviceAccountView
const keys = { path: `${path}/keys`, allow, tag, params } as const
const key = {
  id: Uuid, name: Name, readOnly: boolean(), projectId: nullable(Uuid),
  timeCreated: time(), timeExpires: time(), timeLastUsed: nullable(time()),
}
export const serviceAccountKeyList = op({
  ...keys, method: 'GET', ok: 200,
  query: object({ ...byIdOf('accessToken'), silo: NameOrId }),
  response: ref('ServiceAccountKeyResultsPage', page(ref('ServiceAccountKey', object(key)))),
})
export const serviceAccountKeyCreate = op({
  ...keys, method: 'POST', ok: 201, query,
  body: ref('ServiceAccountKeyCreate', object({
    name: Name,
    ttlSeconds: integer({ min: 1, max: limits.serviceAccount.keyTtl, format: 'uint32' }),
    readOnly: optional(nullable(boolean())),
    project: optional(nullable(NameOrId)),
  })),
  response: ref('ServiceAccountKeyValue', object({ ...key, key: string(unlimited) })),
})
export const serviceAccountKeyDelete = op({
  ...keys, path: `${keys.path}/{key_id}`, method: 'DELETE', ok: 204, query,
  params: object({ serviceAccount: NameOrId, keyId: Uuid }),
})
