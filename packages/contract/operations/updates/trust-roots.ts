/** Root documents of The Update Framework: repositories that continue one are trusted. */
import { op } from '#/op.ts'
import { anyJson, boolean, object, optional, ref, time } from '#/schema.ts'
import { Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const response = ref('UpdatesTrustRoot', object({ id: Uuid, timeCreated: time(), rootRole: anyJson() }))
const ops = plainOps('systemUpdateTrustRoot', {
  path: '/v1/system/update/trust-roots', schema: 'UpdatesTrustRoot', tag: 'system/update',
  verbs: ['List', 'Create', 'View', 'Delete'], response,
})
export const { systemUpdateTrustRootList, systemUpdateTrustRootView, systemUpdateTrustRootDelete } = ops
export const systemUpdateTrustRootCreate = op({
  ...ops.systemUpdateTrustRootCreate,
  query: object({ unlessTrusted: optional(boolean()) }),
  body: anyJson(),
})
