/** Each entry has the action, the actor, the source, the objects and the outcome. */
import { op } from '#/op.ts'
import { auditResults } from '#/rules/audit/results.ts'
import { limits } from '#/rules/limits.ts'
import { array, boolean, enumOf, integer, nullable, object, optional, ref, string, time, union, unlimited } from '#/schema.ts'
import { download, exportFormat } from '#/schemas/export.ts'
import { filtered, inOrder, page, TimeAndIdSortMode } from '#/schemas/page.ts'
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
/** A field of an object that was changed. The values of a description are left out: they may be anything. */
const Change = ref(
  'AuditLogChange',
  object({ field: text, before: optional(nullable(text)), after: optional(nullable(text)) }),
)
/** Something that the operation was about, made, changed or deleted. */
const AuditObject = ref(
  'AuditLogObject',
  object({
    type: text,
    id: Uuid,
    nameBefore: nullable(text),
    nameAfter: nullable(text),
    tagKeys: optional(array(text, unlimited)),
    protected: optional(boolean()),
    changes: optional(array(Change, unlimited)),
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
    credentialId: optional(nullable(Uuid)),
    siloId: optional(nullable(Uuid)),
    siloName: optional(nullable(text)),
    hash: optional(text),
  }),
)

const ofActivity = {
  startTime: optional(time()),
  endTime: optional(nullable(time())),
  actor: optional(Uuid),
  operation: optional(string({ maxLength: limits.audit.filter })),
  objectType: optional(string({ maxLength: limits.audit.filter })),
  result: optional(enumOf(auditResults)),
}
/** The log is read by time. */
const filters = {
  ...ofActivity,
  startTime: time(),
  object: optional(Uuid),
  objectName: optional(string({ maxLength: limits.audit.filter })),
  sourceIp: optional(string({ format: 'ip' })),
  userAgent: optional(string({ maxLength: limits.audit.filter })),
  ...filtered('auditLog'),
}
const query = {
  ...inOrder,
  sortBy: optional(TimeAndIdSortMode),
  ...filters,
}
const list = { method: 'GET', ok: 200, tag: 'system/audit-log', response: ref('AuditLogEntryResultsPage', page(AuditLogEntry)) } as const

export const auditLogList = op({
  ...list, path: '/v1/system/audit-log', allow: 'fleet.viewer',
  query: object({ ...query, silo: optional(NameOrId), fleetOnly: optional(boolean()) }),
})
export const siloAuditLogList = op({
  ...list, path: '/v1/audit-log', allow: 'silo.admin', tag: 'silo',
  query: object(query),
})
const written = { ...filters, format: exportFormat }

export const auditLogExport = op({
  ...download, path: '/v1/system/audit-log/export', allow: 'fleet.viewer', tag: 'system/audit-log',
  query: object({ ...written, silo: optional(NameOrId) }),
})
export const siloAuditLogExport = op({
  ...download, path: '/v1/audit-log/export', allow: 'silo.admin', tag: 'silo',
  query: object(written),
})
export const resourceActivity = op({
  method: 'GET', path: '/v1/activity', allow: ['project.viewer', 'silo.viewer', 'fleet.viewer'], ok: 200, tag: 'access',
  query: object({
    ...inOrder,
    resource: string({ maxLength: limits.audit.filter }),
    ...ofActivity,
    ...filtered('activity'),
  }),
  response: ref('ActivityResultsPage', page(ref('Activity', object(what)))),
})
