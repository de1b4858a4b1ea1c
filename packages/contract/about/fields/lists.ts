/** Fields of searches, exports, views of lists, events, tasks and the audit log. */
import { limits } from '#/rules/limits.ts'
import type { FieldSentences } from '../field-sentences.ts'

const type = 'The type of the resource, such as `disk` or `vpc-subnet`.'
const address =
  'the address of a list with its parameters, such as `/v1/instances?project=web&filter=state:running`'
const parents = 'Its parents, from the project down to the direct one.'
const parent = { type: 'The type of the parent.' }
const kind = 'The type of the resources that the list shows, such as `floating-ip`.'
const views = `The saved views of the kind, at most ${limits.listViews.count}.`
const reasons = {
  code: 'The error code, absent or null if there is none.',
  message: 'The reason in words for people.',
  count: 'The number of items with this reason.',
}
const filters = {
  startTime: 'Only entries that were completed at this time or later, RFC 3339 in UTC.',
  endTime: 'Only entries that were completed before this time, RFC 3339 in UTC; no end unless given.',
  actor: 'Only requests of the user with this id.',
  operation: 'Only this operation, by its id.',
  object: 'Only entries about the resource with this id, or about resources in the project with this id.',
  objectName: 'Only entries about a resource that had this name before or after.',
  objectType: 'Only entries about a resource of this type, such as `disk`.',
  sourceIp: 'Only requests from this address.',
  userAgent: 'Only requests whose user agent contains this text.',
  result: 'Only entries with this outcome.',
}
const sortBy = 'The order of the entries, by time; oldest first unless given.'
const silo = 'Only entries about the silo with this name or id; all silos unless given.'
const entry = {
  requestId: 'The id of the request, which its answer has in `x-request-id`.',
  timeStarted: 'When the request began, RFC 3339 in UTC.',
  timeCompleted: 'When the request ended, RFC 3339 in UTC.',
  operationId: 'The id of the operation.',
  actor: 'The user who sent the request.',
  result: 'The outcome.',
  actorName: 'The display name of the actor at that time.',
  objects: `The resources that the request was about, at most ${limits.audit.objects}.`,
  objectsOmitted: 'The number of further resources, which are not listed.',
}

export const lists: FieldSentences = {
  search: {
    q: 'Words, an id or a whole address to find.',
    kind: 'Only these types, such as `disk`; all unless given.',
    limit: `The most results, ${limits.search.default} unless given and at most ${limits.search.max}.`,
  },
  SearchResults: {
    items: 'The results, best first: by the name, its beginning, a word of it, then by the rest.',
  },
  SearchResult: {
    type,
    parents,
    field: 'The field that matches, such as `name`, `id` or `address`.',
    text: 'The text of that field.',
  },
  'SearchResult.parents': parent,
  nameList: {
    id: `The ids to look up, at most ${limits.names}.`,
    kind: 'The types that the ids may be of, such as `disk`.',
  },
  NameResults: { items: 'The resources that were found, in any order.' },
  NameResult: { type, parents },
  'NameResult.parents': parent,
  listExport: { list: `The list to export: ${address}.` },
  FirstSteps: {
    dismissed: 'True if the user does not want to see them any more.',
    steps: 'The steps in their order.',
  },
  FirstStep: {
    step: 'The result of the step.',
    done: 'True if it exists.',
    permitted: 'True if the user may do it; otherwise an administrator has to.',
  },
  FirstStepsUpdate: { dismissed: 'True to hide them.' },
  currentUserListViewsView: { kind },
  currentUserListViewsUpdate: { kind },
  ListViews: { views },
  ListView: {
    name: 'The name, unique among the views of a kind.',
    search: 'The query of the address of the list: search, filters and order.',
    hiddenColumns:
      'Columns that are hidden, and optional ones that are shown, by the names that the client has for them.',
  },
  ListViewsOfAllKinds: { kinds: 'The kinds of which there are views.' },
  'ListViewsOfAllKinds.kinds': { kind, views },
  eventStream: {
    scope: `Addresses of lists and views that the user may read, such as \`/v1/instances?project=demo\`; at most ${limits.events.scopes}.`,
    follow: 'If false, the answer ends after the changes since `Last-Event-ID`; true unless given.',
  },
  TagChanges: {
    set: 'Tags to set; those with the same keys get these values.',
    remove: 'Keys of tags to remove. One that the resource does not have is no error.',
  },
  Protection: { protected: 'True to refuse its deletion, false to allow it.' },
  TagsView: { tags: 'All tags of the resource, as they are now.' },
  TagInUse: { key: 'The key.', value: 'The value, in a list of the values of a key.' },
  tagList: {
    tag: 'The key whose values are listed; without it, keys are.',
    prefix: 'How the keys, or the values, begin.',
  },
  TaskCreate: {
    kind: 'The type of the resources, such as `floating-ip`.',
    action: 'The action to carry out on each.',
    ids: `The ids of the items, at most ${limits.task.items}; give either these or \`query\`.`,
    query: `All that a list shows: ${address}.`,
    group: 'The id of the group, for `add_to_group` and `add_to_affinity_group`.',
    instance:
      'The id of the instance, for `attach`. Disks are attached to it in the order of their names, up to the number of disks that an instance can have.',
    project: 'The id of the project, for `demote`.',
    namePattern:
      'The names of the snapshots: for `snapshot`, `{disk}` and `{time}` are replaced, and `{disk}-{time}` is taken unless given; for `snapshot_together`, `{time}` is replaced, and `snapshot-{time}` is taken unless given.',
    tags: 'For `change_tags`, the tags to set and the keys to remove.',
    digest: 'The digest of a preview; the task is refused if its items have changed since.',
  },
  Task: {
    id: 'The id of the task.',
    userId: 'The id of the user who created the task.',
    kind: 'The type of the resources.',
    action: 'The action on each of them.',
    group: 'The id of the group that instances are added to.',
    instance: 'The id of the instance that disks are attached to.',
    project: 'The id of the project that images are moved to.',
    namePattern: 'The pattern of the names of the snapshots that it makes.',
    tags: 'The tags that it sets, and the keys that it removes.',
    state: 'The state of the task.',
    totalItems: 'The number of all items.',
    pending: 'The number of items that still wait.',
    succeeded: 'The number of items that succeeded.',
    failed: 'The number of items that failed.',
    skipped: 'The number of items left as they were, because their state did not allow the action.',
    running: 'The number of items whose action goes on after its request.',
    canceled: 'The number of items that were not reached before the task was stopped.',
    failures: 'The reasons of failures, the most frequent first; only in the view of one task.',
    message: 'Why the task ended before all was done.',
    timeStarted: 'When the first item began, RFC 3339 in UTC.',
    timeEnded: 'When the task ended, RFC 3339 in UTC.',
    retryOf: 'The id of the task whose failed and canceled items this one tries again.',
    schedule: 'The id of the schedule whose run it is; absent for other tasks.',
  },
  'Task.failures': reasons,
  TaskPreview: {
    totalItems: 'The number of items.',
    skipped: 'Why some would be left as they are.',
    names: `The names of the first items that would not be skipped, at most ${limits.task.listed}.`,
    digest: 'The digest of the items that would not be skipped, for the creation of the task.',
  },
  'TaskPreview.skipped': {
    ...reasons,
    names: `The names of the first items with this reason, at most ${limits.task.named}.`,
  },
  taskItemList: {
    result: 'Only items with this result.',
    reason: 'Only items that failed for this reason, as worded in `failures`.',
  },
  TaskItem: {
    id: 'The id of the resource.',
    name: 'The name of the resource when the task was created.',
    operation:
      'The operation of this item, such as `instance_stop`, in tasks whose items have different ones.',
    result: 'The result so far.',
    code: reasons.code,
    message: 'Why it failed or was skipped.',
    timeCompleted: 'When the item was done, RFC 3339 in UTC.',
  },
  auditLogList: {
    ...filters,
    sortBy,
    silo,
    fleetOnly: 'Only operations of operators on the fleet, not those of users in silos.',
  },
  siloAuditLogList: { ...filters, sortBy },
  auditLogExport: { ...filters, silo },
  siloAuditLogExport: filters,
  AuditLogEntry: {
    ...entry,
    requestUri: 'The path and query of the request, without secrets.',
    sourceIp: 'The address of the client.',
    userAgent: 'The user agent of the client.',
    authMethod: 'How the request was authenticated; absent or null without a session.',
    credentialId: 'The id of the session or token that sent the request.',
    siloId: 'The id of the silo of the actor, or of the silo that the request was about.',
    hash: 'SHA-256 in hex of this entry and of the hash before it.',
  },
  AuditLogEntryActor: {
    kind: 'The kind of actor; `unauthenticated` without a valid session.',
    userBuiltinId: 'The id of the user of the control plane itself.',
    siloUserId: 'The id of the user.',
    siloId: 'The id of the silo of the user.',
  },
  AuditLogEntryResult: {
    kind: 'The kind of outcome; `unknown` if the server or its database ended before it was known.',
    httpStatusCode: 'The status of the answer.',
    errorCode: 'The error code, absent or null if there is none.',
    errorMessage: 'The error in words for people.',
  },
  AuditLogObject: {
    type,
    tagKeys: 'The keys of tags that the request has added, changed or removed.',
    protected:
      'True if the request has protected it from deletion, false if it has removed the protection; otherwise absent.',
    changes:
      'The fields that the request has changed, as far as entries show them; absent if there are none. Entries of earlier versions have none.',
    nameBefore: 'The name before the request; null if the request made it.',
    nameAfter: 'The name after the request; null if the request deleted it.',
  },
  AuditLogChange: {
    field: 'The name of the field.',
    before:
      'The value before, as text; null for none, absent if entries do not show it. Sizes are in bytes, resources are named.',
    after: 'The value after, in the same way.',
  },
  Activity: entry,
  resourceActivity: {
    resource: 'The resource: `silo:NAME`, `project:NAME`, or a type and an id, such as `disk:ID`.',
    startTime: filters.startTime,
    endTime: filters.endTime,
    actor: filters.actor,
    operation: filters.operation,
    objectType: filters.objectType,
    result: filters.result,
  },
}
