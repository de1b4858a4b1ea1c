/**
 * SCIM 2.0 (RFC 7644): the identity system of an organisation manages the users and groups of a silo. Resources are as
 * the schemas at `/scim/v2/Schemas` say, in the spelling of RFC 7643, so they have no schemas here.
 */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { anyJson, integer, object, optional, ref, string, verbatim } from '#/schema.ts'
import { mediaTypes } from '#/schemas/media-types.ts'

/** All addresses below it answer in the formats of SCIM, also with 404. */
export const scimRoot = '/scim/v2'

const common = { allow: 'scim', tag: 'scim', errorFormat: 'scim', responseType: mediaTypes.scim } as const
const Resource = ref('ScimResource', anyJson())
const answers = { ...common, ok: 200, response: Resource } as const
const sends = { bodyType: mediaTypes.scim, body: Resource } as const

const names = string({ maxLength: limits.scim.filter })
const selection = { attributes: optional(names), excludedAttributes: optional(names) }
const one = { query: verbatim(selection) }
const page = {
  query: verbatim({
    ...selection,
    filter: optional(string({ maxLength: limits.scim.filter })),
    startIndex: optional(integer()),
    count: optional(integer()),
  }),
}
const id = string({ maxLength: limits.scim.id })
const ofUser = { path: `${scimRoot}/Users/{user_id}`, params: object({ userId: id }) } as const
const ofGroup = { path: `${scimRoot}/Groups/{group_id}`, params: object({ groupId: id }) } as const
const users = { path: `${scimRoot}/Users` } as const
const groups = { path: `${scimRoot}/Groups` } as const

export const scimUserList = op({ ...answers, ...users, ...page, method: 'GET' })
export const scimUserCreate = op({ ...answers, ...users, ...sends, method: 'POST', ok: 201 })
export const scimUserView = op({ ...answers, ...ofUser, ...one, method: 'GET' })
export const scimUserReplace = op({ ...answers, ...ofUser, ...sends, method: 'PUT' })
export const scimUserUpdate = op({ ...answers, ...ofUser, ...sends, method: 'PATCH' })
export const scimUserDelete = op({ ...common, ...ofUser, method: 'DELETE', ok: 204 })

export const scimGroupList = op({ ...answers, ...groups, ...page, method: 'GET' })
export const scimGroupCreate = op({ ...answers, ...groups, ...sends, method: 'POST', ok: 201 })
export const scimGroupView = op({ ...answers, ...ofGroup, ...one, method: 'GET' })
export const scimGroupReplace = op({ ...answers, ...ofGroup, ...sends, method: 'PUT' })
/** The answer is empty: all members for each change of one would be too many. */
export const scimGroupUpdate = op({ ...common, ...ofGroup, ...sends, method: 'PATCH', ok: 204 })
export const scimGroupDelete = op({ ...common, ...ofGroup, method: 'DELETE', ok: 204 })

export const scimConfigView = op({ ...answers, method: 'GET', path: `${scimRoot}/ServiceProviderConfig` })
export const scimResourceTypeList = op({ ...answers, method: 'GET', path: `${scimRoot}/ResourceTypes` })
export const scimResourceTypeView = op({
  ...answers, method: 'GET', path: `${scimRoot}/ResourceTypes/{resource_type}`,
  params: object({ resourceType: string({ maxLength: limits.scim.text }) }),
})
export const scimSchemaList = op({ ...answers, method: 'GET', path: `${scimRoot}/Schemas` })
export const scimSchemaView = op({
  ...answers, method: 'GET', path: `${scimRoot}/Schemas/{schema}`,
  params: object({ schema: string({ maxLength: limits.scim.text }) }),
})
