/** Support bundles: zip files with what helps to find a fault. */
import { op } from '#/op.ts'
import { bundleLimits, supportBundleStates } from '#/rules/support-bundles.ts'
import { enumOf, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { inOrder, page, TimeAndIdSortMode } from '#/schemas/page.ts'
import { mediaTypes } from '#/schemas/media-types.ts'
import { Uuid } from '#/schemas/scalar.ts'

const tag = 'experimental'
const root = '/experimental/v1/system/support-bundles'
const read = { method: 'GET', allow: 'fleet.viewer', ok: 200, tag } as const
const write = { allow: 'fleet.admin', tag } as const

// Longer ones are refused with the number of bytes.
const userComment = optional(nullable(string({ maxLength: bundleLimits.comment, isRule: true })))
const Bundle = ref('SupportBundleInfo', object({
  id: Uuid, timeCreated: time(), state: ref('SupportBundleState', enumOf(supportBundleStates)),
  reasonForCreation: string(unlimited), reasonForFailure: optional(nullable(string(unlimited))),
  userComment: optional(nullable(string(unlimited))),
}))

export const supportBundleList = op({
  ...read, path: root, query: object({ ...inOrder, sortBy: optional(TimeAndIdSortMode) }),
  response: ref('SupportBundleInfoResultsPage', page(Bundle)),
})
export const supportBundleCreate = op({
  ...write, method: 'POST', path: root, ok: 201, body: ref('SupportBundleCreate', object({ userComment })), response: Bundle,
})
const one = { path: `${root}/{bundle_id}`, params: object({ bundleId: Uuid }) }
export const supportBundleView = op({ ...read, ...one, response: Bundle })
export const supportBundleUpdate = op({
  ...write, ...one, method: 'PUT', ok: 200, body: ref('SupportBundleUpdate', object({ userComment })), response: Bundle,
})
export const supportBundleDelete = op({ ...write, ...one, method: 'DELETE', ok: 204 })

const files = { allow: 'fleet.viewer', ok: 200, tag, hasRanges: true } as const
export const supportBundleIndex = op({
  ...files, method: 'GET', path: `${root}/{bundle_id}/index`, params: one.params, streams: ['text/plain'],
})
const whole = {
  ...files, path: `${root}/{bundle_id}/download`, params: one.params, streams: [mediaTypes.zip],
} as const
export const supportBundleDownload = op({ ...whole, method: 'GET' })
export const supportBundleHead = op({ ...whole, method: 'HEAD' })
const single = {
  ...files, path: `${root}/{bundle_id}/download/{file}`, streams: ['*/*'],
  params: object({ bundleId: Uuid, file: string({ maxLength: bundleLimits.path }) }),
} as const
export const supportBundleDownloadFile = op({ ...single, method: 'GET' })
export const supportBundleHeadFile = op({ ...single, method: 'HEAD' })
