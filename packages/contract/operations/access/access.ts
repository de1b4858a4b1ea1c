/** Our own operations: who has which permission, and why. */
import { op } from '#/op.ts'
import { roles } from '#/rules/roles.ts'
import { array, boolean, enumOf, integer, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { inOrder, page } from '#/schemas/page.ts'
import { Uuid } from '#/schemas/scalar.ts'
import { IdentityType } from './policies.ts'

const tag = 'access'
const text = string({ maxLength: 200 })

const Level = ref('AccessLevel', enumOf(['fleet', 'silo', 'project']))
const Role = enumOf(roles)

/** One assignment that a role comes from. */
const Path = ref(
  'AccessPath',
  object({
    level: Level,
    resourceId: Uuid,
    resourceName: nullable(string(unlimited)),
    roleName: Role,
    timeExpires: optional(nullable(time())),
    group: optional(nullable(object({ id: Uuid, displayName: string(unlimited) }))),
    through: ref('AccessPathKind', enumOf(['assigned', 'inherited', 'mapped'])),
  }),
)
const EffectiveRole = object({
  level: Level,
  resourceId: Uuid,
  resourceName: nullable(string(unlimited)),
  role: Role,
  paths: array(Path, unlimited),
})

/** Callers who need no role: everyone, every user, users of the silo in question, the user in question. */
const Without = ref('AccessWithoutRole', enumOf(['everyone', 'users', 'users_of_silo', 'user_itself']))
const isComplete = boolean()

/** A valid key of a service account, and the limit that keeps it from the operation in question. */
const KeyAccess = ref(
  'AccessOfKey',
  object({
    id: Uuid,
    name: string(unlimited),
    readOnly: boolean(),
    projectId: nullable(Uuid),
    projectName: nullable(string(unlimited)),
    refusedBy: nullable(ref('AccessKeyLimit', enumOf(['read_only', 'project', 'key']))),
  }),
)

export const accessExplain = op({
  method: 'GET', path: '/v1/access/explain', allow: ['self', 'silo.viewer', 'fleet.viewer'], ok: 200, tag,
  query: object({
    ...inOrder,
    identity: Uuid,
    operation: optional(text),
    resource: optional(text),
  }),
  response: ref('AccessExplanation', object({
    identityType: IdentityType,
    identityId: Uuid,
    displayName: string(unlimited),
    siloId: Uuid,
    siloName: string(unlimited),
    groups: array(object({ id: Uuid, displayName: string(unlimited) }), unlimited),
    groupsOmitted: integer({ min: 0 }),
    isComplete,
    allowed: optional(nullable(boolean())),
    withoutRole: optional(nullable(Without)),
    keys: optional(nullable(array(KeyAccess, unlimited))),
    items: array(EffectiveRole, unlimited),
    nextPage: optional(nullable(string(unlimited))),
  })),
})

export const accessWhoCan = op({
  method: 'GET', path: '/v1/access/who-can', allow: ['project.viewer', 'silo.viewer', 'fleet.viewer'], ok: 200, tag,
  query: object({ ...inOrder, operation: text, resource: text }),
  response: ref('AccessHolders', object({
    isComplete,
    withoutRole: optional(nullable(Without)),
    items: array(object({ id: Uuid, displayName: string(unlimited), siloId: Uuid, paths: array(Path, unlimited) }), unlimited),
    nextPage: optional(nullable(string(unlimited))),
  })),
})

const AccessIdentity = ref(
  'AccessIdentity',
  object({
    identityType: IdentityType,
    identityId: Uuid,
    displayName: string(unlimited),
    siloId: Uuid,
    siloName: string(unlimited),
  }),
)
export const accessIdentityList = op({
  method: 'GET', path: '/v1/access/identities', allow: ['project.viewer', 'silo.user', 'fleet.viewer'], ok: 200, tag,
  /** For a project, also the assignments on its silo. Identities that are missing do not exist. */
  query: object({ ...inOrder, resource: text }),
  response: ref('AccessIdentityResultsPage', page(AccessIdentity)),
})

const ofResource = object({ resourceId: Uuid })
const found = {
  type: string(unlimited),
  id: Uuid,
  siloId: Uuid,
  siloName: string(unlimited),
}
export const resourceLookUp = op({
  method: 'GET', path: '/v1/lookup/{resource_id}', allow: 'project.viewer', orSilo: true, ok: 200, tag,
  params: ofResource,
  response: ref('ResourceFound', object({
    ...found,
    name: string(unlimited),
    parents: array(object({ type: string(unlimited), id: Uuid, name: string(unlimited) }), unlimited),
  })),
})
export const systemResourceLookUp = op({
  method: 'GET', path: '/v1/system/lookup/{resource_id}', allow: 'fleet.viewer', ok: 200, tag,
  params: ofResource,
  response: ref('SystemResourceFound', object(found)),
})

const AccessOperation = ref(
  'AccessOperation',
  object({
    operation: string(unlimited),
    summary: string(unlimited),
    levels: array(Level, unlimited),
    allow: array(string(unlimited), unlimited),
    alsoNeeds: optional(nullable(string(unlimited))),
  }),
)
export const accessOperationList = op({
  method: 'GET', path: '/v1/access/operations', allow: 'user', ok: 200, tag,
  query: object(inOrder),
  response: ref('AccessOperationResultsPage', page(AccessOperation)),
})
