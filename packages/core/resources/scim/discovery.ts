/** The documents that describe this service to clients of SCIM (RFC 7643, sections 5 to 7). */
import { limits } from '@purlin/contract/rules/limits'
import { permit } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { fault } from '#/faults.ts'
import { coreSchema, listResponse, locationOf, type Resource } from './answers.ts'

type Names = 'ConfigView' | `${'ResourceType' | 'Schema'}${'List' | 'View'}`

export const scimDiscovery: Family<`scim${Names}`> = {
  scimConfigView: (ctx) => answer(ctx, () => configOf(ctx)),
  scimResourceTypeList: (ctx) => answer(ctx, () => listResponse(2, 0, typesOf(ctx))),
  scimResourceTypeView: (ctx, { params }) => answer(ctx, () => oneOf(typesOf(ctx), params.resourceType)),
  scimSchemaList: (ctx) => answer(ctx, () => listResponse(2, 0, schemasOf(ctx))),
  scimSchemaView: (ctx, { params }) => answer(ctx, () => oneOf(schemasOf(ctx), params.schema)),
}

function answer(ctx: Ctx, make: () => Resource): Promise<Resource> {
  permit(ctx)
  return Promise.resolve(make())
}

function oneOf(resources: readonly Resource[], id: string): Resource {
  const found = resources.find((one) => String(one['id']).toLowerCase() === id.toLowerCase())
  if (!found) throw fault.notFound('scim-schema', id)
  return found
}

const urn = 'urn:ietf:params:scim:schemas:core:2.0:'
const [yes, no] = [{ supported: true }, { supported: false }]

const configOf = (ctx: Ctx) => ({
  schemas: [`${urn}ServiceProviderConfig`],
  patch: yes,
  bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 },
  filter: { ...yes, maxResults: limits.scim.page.max },
  changePassword: no,
  sort: no,
  etag: yes,
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'SCIM token',
      description: 'A token that an administrator of the silo or of the fleet has created.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: locationOf(ctx, 'ServiceProviderConfig') },
})

const typesOf = (ctx: Ctx) =>
  (['User', 'Group'] as const).map((type) => ({
    schemas: [`${urn}ResourceType`],
    id: type,
    name: type,
    endpoint: `/${type}s`,
    description: `${type}s of the silo`,
    schema: coreSchema(type),
    meta: { resourceType: 'ResourceType', location: locationOf(ctx, `ResourceTypes/${type}`) },
  }))

const schemasOf = (ctx: Ctx) =>
  (['User', 'Group'] as const).map((type) => ({
    schemas: [`${urn}Schema`],
    id: coreSchema(type),
    name: type,
    description: `A ${type.toLowerCase()} of the silo`,
    attributes: attributes[type],
    meta: { resourceType: 'Schema', location: locationOf(ctx, `Schemas/${coreSchema(type)}`) },
  }))

type Attribute = Record<string, unknown> & { name: string; description: string }

/** The characteristics of an attribute (RFC 7643, section 2.2), those given in place of the usual ones. */
const attribute = (name: string, description: string, more: Record<string, unknown> = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})
const complex = (subAttributes: readonly Attribute[], more: Record<string, unknown> = {}) => ({
  type: 'complex',
  subAttributes,
  ...more,
})
const list = { multiValued: true }
const readOnly = { mutability: 'readOnly' }
const externalId = attribute('externalId', 'The id that the identity system has for it.', { caseExact: true })

const attributes: Record<'User' | 'Group', readonly Attribute[]> = {
  User: [
    attribute('userName', 'The name that the identity provider signs the user in with.', {
      required: true,
      uniqueness: 'server',
    }),
    externalId,
    attribute('displayName', 'The name that people know the user by.'),
    attribute(
      'name',
      'The parts of the name.',
      complex([
        attribute('formatted', 'The whole name.'),
        attribute('givenName', 'The given name.'),
        attribute('familyName', 'The family name.'),
      ]),
    ),
    attribute('active', 'False for a user who may not sign in.', { type: 'boolean' }),
    attribute(
      'emails',
      `Addresses of e-mail, at most ${limits.scim.emails}.`,
      complex(
        [
          attribute('value', 'The address.'),
          attribute('type', 'The kind of address, such as work.'),
          attribute('primary', 'True for the address to use.', { type: 'boolean' }),
        ],
        list,
      ),
    ),
    attribute(
      'groups',
      'The groups of the user. They are changed by the members of the groups.',
      complex(
        [
          attribute('value', 'The id of the group.', readOnly),
          attribute('$ref', 'The address of the group.', {
            ...readOnly,
            type: 'reference',
            referenceTypes: ['Group'],
          }),
          attribute('display', 'The name of the group.', readOnly),
          attribute('type', 'Always direct: groups have no groups.', readOnly),
        ],
        { ...list, ...readOnly },
      ),
    ),
  ],
  Group: [
    attribute('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
    externalId,
    attribute(
      'members',
      `The users in the group, at most ${limits.scim.members}.`,
      complex(
        [
          attribute('value', 'The id of the user.', { mutability: 'immutable' }),
          attribute('$ref', 'The address of the user.', {
            ...readOnly,
            type: 'reference',
            referenceTypes: ['User'],
          }),
          attribute('display', 'The name of the user.', readOnly),
          attribute('type', 'Always User: groups have no groups.', { mutability: 'immutable' }),
        ],
        list,
      ),
    ),
  ],
}
