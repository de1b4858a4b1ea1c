/** Each entry has the action, the actor, the source, the objects and the outcome. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { array, enumOf, integer, nullable, object, optional, ref, string, time, union, unlimited } from '#/schema.ts'
import { download, exportFormat } from '#/schemas/export.ts'
import { inOrder, page } from '#/schemas/page.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'

const text = string(unlimited)

/** The actor. A caller without a valid session is `unauthenticated`. */
const Actor = ref(
  'AuditLogEntryActor',
  union('kind', {
    user_builtin: { userBuiltinId: Uuid },
    silo_user: { siloUserId: Uuid, siloId: Uuid },
    unauthenticated: {},
  }),
)
const status = { httpStatusCode: integer({ min: 0, max: 65_535, format: 'uint16' }) }
const Result = ref(
  'AuditLogEntryResult',
  union('kind', {
    success: status,
    error: { ...status, errorCode: optional(nullable(text)), errorMessage: text },
    /** The server or its database ended before it was known. */
    unknown: {},
  }),
)
/** Something that the operation was about, made, changed or deleted. */
const AuditObject = ref(
  'AuditLogObject',
  object({
    /** As in messages: `disk`, `vpc-subnet`. */
    type: text,
    id: Uuid,
    /** Null if the operation made it. */
    nameBefore: nullable(text),
    /** Null if the operation deleted it. */
    nameAfter: nullable(text),
  }),
)
const what = {
  id: Uuid,
  requestId: text,
  timeStarted: time(),
  timeCompleted: time(),
  operationId: text,
  actor: Actor,
  result: Result,
  /** These are not part of the original API. */
  actorName: optional(nullable(text)),
  objects: optional(array(AuditObject, unlimited)),
  /** The number of further objects, which are not listed. */
  objectsOmitted: optional(integer({ min: 0 })),
}
export const AuditLogEntry = ref(
  'AuditLogEntry',
  object({
    ...what,
    requestUri: text,
    sourceIp: string({ format: 'ip' }),
    userAgent: optional(nullable(text)),
    authMethod: optional(nullable(text)),
    /** The session that sent the request. */
    credentialId: optional(nullable(Uuid)),
    /** The silo of the actor, or the silo that the request was about. */
    siloId: optional(nullable(Uuid)),
    siloName: optional(nullable(text)),
    /** SHA-256, hex, of this entry and of the hash before it: see `npm run audit`. */
    hash: optional(text),
  }),
)

export const auditResults = ['success', 'error', 'unknown'] as const
const SortMode = ref('TimeAndIdSortMode', enumOf(['time_and_id_ascending', 'time_and_id_descending']))

const filters = {
  /** The actor. */
  actor: optional(Uuid),
  operation: optional(string({ maxLength: limits.audit.filter })),
  /** The id of something in `objects`, or of the project that it was in. */
  object: optional(Uuid),
  /** The name of something in `objects`, before or after. */
  objectName: optional(string({ maxLength: limits.audit.filter })),
  /** The type of something in `objects`: `disk`, `vpc-subnet`. */
  objectType: optional(string({ maxLength: limits.audit.filter })),
  sourceIp: optional(string({ format: 'ip' })),
  /** A text that the user agent contains. */
  userAgent: optional(string({ maxLength: limits.audit.filter })),
  result: optional(enumOf(auditResults)),
}
const query = {
  ...inOrder,
  sortBy: optional(SortMode),
  /** Entries that were completed from then on, */
  startTime: time(),
  /** and before then. */
  endTime: optional(nullable(time())),
  ...filters,
}
const list = { method: 'GET', ok: 200, tag: 'system/audit-log', response: ref('AuditLogEntryResultsPage', page(AuditLogEntry)) } as const

export const auditLogList = op({
  ...list, path: '/v1/system/audit-log', allow: 'fleet.viewer', summary: 'List the entries of the audit log',
  query: object({ ...query, silo: optional(NameOrId) }),
})
export const siloAuditLogList = op({
  ...list, path: '/v1/audit-log', allow: 'silo.admin', tag: 'silo',
  summary: 'List the entries of the audit log that are about the silo',
  query: object(query),
})
const written = {
  startTime: time(),
  endTime: optional(nullable(time())),
  ...filters,
  format: exportFormat,
}

export const auditLogExport = op({
  ...download, path: '/v1/system/audit-log/export', allow: 'fleet.viewer', tag: 'system/audit-log',
  summary: 'Export entries of the audit log, oldest first',
  query: object({ ...written, silo: optional(NameOrId) }),
})
export const siloAuditLogExport = op({
  ...download, path: '/v1/audit-log/export', allow: 'silo.admin', tag: 'silo',
  summary: 'Export the entries of the audit log that are about the silo, oldest first',
  query: object(written),
})
export const resourceActivity = op({
  method: 'GET', path: '/v1/activity', allow: ['project.viewer', 'silo.viewer', 'fleet.viewer'], ok: 200, tag: 'access',
  summary: 'List the actions on a resource, newest first',
  query: object({
    ...inOrder,
    /** `silo:NAME`, `project:NAME`, or a type of resource and an id, such as `disk:ID`. */
    resource: string({ maxLength: limits.audit.filter }),
  }),
  response: ref('ActivityResultsPage', page(ref('Activity', object(what)))),
})
