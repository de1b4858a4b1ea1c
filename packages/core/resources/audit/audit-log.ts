/** The audit log, as operators, administrators of silos and those who see a resource read it. */
import { operations, type Operations } from '@purlin/contract/operations'
import type { Parsed } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { kinds } from '@purlin/contract/rules/kinds'
import { canonicalUuid, isUuid } from '@purlin/contract/rules/names'
import { detailsIn, nameKey, type Details } from '#/audit/details.ts'
import { seqOf, sequence, timeOf } from '#/audit/sequence.ts'
import { permits, seesProject } from '#/auth/access.ts'
import { isAboutSilo, ofFleet, readByViewers } from '#/auth/log-readers.ts'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import type { Actor, Ctx, Family, RequestContext, World } from '#/context.ts'
import { checkLength } from '#/db/lists/filtered.ts'
import { mapPage, pageBySeq, seqBefore, type Page } from '#/db/lists/pages.ts'
import { externalScimId } from '#/db/rows/builtin-ids.ts'
import type { AuditEntryTable } from '#/db/tables.ts'
import { placeOf } from '../access/access.ts'
import { checkPeriod } from '../lists/period.ts'
import { conditionsOf, hasKey, wordsOf } from './log-words.ts'

type Query = Omit<Parsed<Operations['auditLogList']>['query'], 'silo' | 'startTime' | 'sortBy'> & {
  startTime?: Date | undefined
  sortBy?: 'time_and_id_ascending' | 'time_and_id_descending' | undefined
}

export const auditLog: Family<'auditLogList' | 'siloAuditLogList' | 'resourceActivity'> = {
  auditLogList: {
    withoutTransaction: (request, { query }) =>
      listed(request, async (ctx) => {
        permit(ctx)
        const { silo } = query
        const siloId =
          silo === undefined || isUuid(silo) ? silo : (await resolveInFleet(ctx, 'silo', silo)).id
        return { ...query, siloId }
      }).then((page) => mapPage(page, entryView)),
  },

  siloAuditLogList: {
    withoutTransaction: (request, { query }) =>
      listed(request, (ctx) => {
        permit(ctx)
        return Promise.resolve({ ...query, siloId: ctx.actor.siloId, about: ctx.actor.siloId })
      }).then((page) => mapPage(page, entryView)),
  },

  resourceActivity: {
    withoutTransaction: (request, { query }) =>
      listed(request, async (ctx) => {
        const { resource, ...how } = query
        const seen = await activitySeen(ctx, resource)
        return { ...how, ...seen, sortBy: 'time_and_id_descending', siloId: undefined }
      }).then((page) => ({ ...page, items: page.items.flatMap(activityViewFor(request)) })),
  },
}

/** The silo that entries are to be about. An id may be of one that is gone. Throws 404. */
export async function siloOf(ctx: Ctx, { silo }: { silo?: string | undefined }): Promise<string | undefined> {
  if (silo === undefined || isUuid(silo)) return silo
  return (await resolveInFleet(ctx, 'silo', silo)).id
}

/** A resource whose activity the caller may see, and which of its entries. Throws 400, 403, 404. */
async function activitySeen(
  ctx: Ctx,
  resource: string,
): Promise<Pick<LogQuery, 'object' | 'about' | 'isForViewer'>> {
  const { actor } = ctx
  // Pools are shared: what operators do to them names the silos of others.
  if (resource === 'fleet' || resource.startsWith('ip-pool:')) permit(ctx, 'fleet.viewer')
  const { id, target } = await placeOf(ctx, resource, ctx.op.allow)
  const named = resource.slice(resource.indexOf(':') + 1)
  const object = isUuid(named) ? canonicalUuid(named) : id
  const ofSilo = resource.startsWith(`${kinds.silo.type}:`) ? target.siloId : undefined
  if (permits(actor, operations.auditLogList.allow)) return { object, about: ofSilo }
  const isForViewer = !permits(actor, operations.siloAuditLogList.allow, target)
  return { object, about: actor.siloId, isForViewer }
}

export type LogQuery = Query & {
  /** The silo of the actor, or the target's. */
  siloId: string | undefined
  /** The silo that it was about. */
  about?: string | undefined
  /** Only what operators did to the fleet. */
  fleetOnly?: boolean | undefined
  /** Only what viewers of the silo may read. */
  isForViewer?: boolean
}

// Beyond that the entries of the last moment come with a later request.
const mostRounds = 5

/** Moves all pending records into the log. The log can be read even if writes fail. */
export async function upToDate(world: World): Promise<void> {
  for (let rounds = 0; rounds < mostRounds; rounds++) if (!(await sequence(world).catch(() => false))) return
}

/** A page of the log, with all records until now, for a caller to whom `check` permits it. */
async function listed(
  request: RequestContext,
  check: (ctx: Ctx) => Promise<LogQuery>,
): Promise<Page<AuditEntryTable>> {
  await request.transaction('read', check)
  await upToDate(request.world)
  return request.transaction('read', async (ctx) => pageOfLog(ctx, await check(ctx)))
}

/** A page of the log. Throws 400 for a window that ends before it begins, and for filters that are too long together. */
export async function pageOfLog(ctx: Ctx, asked: LogQuery): Promise<Page<AuditEntryTable>> {
  const { startTime, endTime, sortBy } = asked
  checkPeriod(asked)
  checkLength(asked.filter ?? [])
  const { parameters, span, conditions } = wordsOf(asked.filter ?? [], { now: ctx.now, given: asked })
  const query = { ...asked, ...parameters }
  const range = {
    first: Math.max(startTime ? seqOf(startTime.getTime()) : 0, span.first),
    end: Math.min(endTime ? seqOf(endTime.getTime()) : Number.MAX_SAFE_INTEGER, span.end),
    after: seqBefore(query),
    isDescending: sortBy === 'time_and_id_descending',
  }
  const found = entriesOf(ctx, query, range)
  const { table } = found
  const rows = conditions.reduce((some, condition) => some.where(condition), found.rows)
  const isExact = found.isExact && conditions.length === 0
  const until = isExact ? undefined : await furthest(ctx, query, range)
  const scanned =
    until === undefined
      ? rows
      : rows.where(`${table as 'auditEntry'}.seq`, range.isDescending ? '>=' : '<=', until)
  return pageBySeq(ctx, query, { rows: scanned, table, until })
}

interface Range {
  /** inclusive */
  first: number
  /** exclusive */
  end: number
  after: number | undefined
  isDescending: boolean
}

/** The entries that an index finds: of an object, of an actor, of an operation, or of a time. */
function indexed({ tx }: Ctx, query: LogQuery, { first, end }: Range) {
  const key =
    query.object?.toLowerCase() ?? (query.objectName === undefined ? undefined : nameKey(query.objectName))
  const entries = tx
    .selectFrom('auditEntry')
    .where('auditEntry.seq', '>=', first)
    .where('auditEntry.seq', '<', end)
  const about = (wanted: string) =>
    entries
      .innerJoin('auditKey', 'auditKey.seq', 'auditEntry.seq')
      .where('auditKey.key', '=', wanted)
      .where('auditKey.seq', '>=', first)
      .where('auditKey.seq', '<', end) as unknown as typeof entries
  if (key !== undefined) return { by: 'object', table: 'auditKey', rows: about(key) } as const
  const { actor, operation, siloId } = query
  const table = 'auditEntry'
  if (actor !== undefined)
    return { by: 'actor', table, rows: entries.where('actorId', '=', actor.toLowerCase()) } as const
  if (operation !== undefined)
    return { by: 'operation', table, rows: entries.where('operation', '=', operation) } as const
  return siloId === undefined
    ? ({ by: 'time', table, rows: entries } as const)
    : ({ by: 'silo', table: 'auditKey', rows: about(siloId) } as const)
}

/** The entries that match the query. `isExact` if the index returns no others. */
function entriesOf(ctx: Ctx, query: LogQuery, range: Range) {
  const { by, table, rows: found } = indexed(ctx, query, range)
  const { object, objectName, objectType, actor, operation, siloId, about, isForViewer } = query
  const { sourceIp, userAgent, result } = query
  let rows = found.selectAll('auditEntry')
  let isExact = true
  const only = (next: typeof rows) => {
    rows = next
    isExact = false
  }
  if (object !== undefined && objectName !== undefined) only(rows.where(hasKey(nameKey(objectName))))
  if (actor !== undefined && by !== 'actor') only(rows.where(conditionsOf.actor(actor)))
  if (operation !== undefined && by !== 'operation') only(rows.where(conditionsOf.operation(operation)))
  if (siloId !== undefined && by !== 'silo')
    only(rows.where((eb) => eb.or([eb('siloId', '=', siloId), eb('otherSiloId', '=', siloId)])))
  if (sourceIp !== undefined) only(rows.where(conditionsOf.address(sourceIp)))
  if (userAgent !== undefined) only(rows.where(conditionsOf.agent(userAgent)))
  if (about !== undefined) only(rows.where(isAboutSilo(about)))
  if (query.fleetOnly) only(rows.where('operation', 'in', ofFleet))
  if (isForViewer) only(rows.where('operation', 'in', readByViewers))
  if (objectType !== undefined) only(rows.where(conditionsOf.kind(objectType)))
  if (result !== undefined) only(rows.where(conditionsOf.result(result)))
  return { rows, table, isExact }
}

/** The number up to which a page looks, undefined if to the end. */
async function furthest(ctx: Ctx, query: LogQuery, range: Range): Promise<number | undefined> {
  const { isDescending, after } = range
  const { rows, table } = indexed(ctx, query, range)
  const seq = `${table as 'auditEntry'}.seq` as const
  const ahead = after === undefined ? rows : rows.where(seq, isDescending ? '<' : '>', after)
  const last = await ahead
    .select(seq)
    .orderBy(seq, isDescending ? 'desc' : 'asc')
    .offset(limits.audit.looksThrough)
    .limit(1)
    .executeTakeFirst()
  return last?.seq
}

function whatView(row: AuditEntryTable, details: Details) {
  const { id, requestId, timeStarted, operation, seq, actorId, siloId, status } = row
  return {
    id,
    requestId,
    timeStarted: new Date(timeStarted),
    timeCompleted: new Date(timeOf(seq)),
    operationId: operation,
    actor:
      actorId === null || siloId === null
        ? ({ kind: 'unauthenticated' } as const)
        : actorId === externalScimId
          ? ({ kind: 'user_builtin', userBuiltinId: actorId } as const)
          : ({ kind: 'silo_user', siloUserId: actorId, siloId } as const),
    actorName: details.actorName ?? null,
    result: resultView(status, details),
    objects: details.objects.map(([type, objectId, before, after, , tagKeys, isProtected, changes]) => ({
      type,
      id: objectId,
      nameBefore: before,
      nameAfter: after,
      ...(tagKeys ? { tagKeys } : {}),
      ...(isProtected == null ? {} : { protected: isProtected }),
      ...(changes ? { changes: changes.map(changeView) } : {}),
    })),
    ...(details.omitted === undefined ? {} : { objectsOmitted: details.omitted }),
  }
}

const changeView = ([field, before, after]: readonly [string, (string | null)?, (string | null)?]) =>
  before === undefined || after === undefined ? { field } : { field, before, after }

function resultView(status: number, { code, message = '' }: Details) {
  if (status === 0) return { kind: 'unknown' } as const
  if (status < 400) return { kind: 'success', httpStatusCode: status } as const
  return { kind: 'error', httpStatusCode: status, errorCode: code, errorMessage: message } as const
}

/** An entry for callers who may read all of it. */
export function entryView(row: AuditEntryTable) {
  const details = detailsIn(row)
  return {
    ...whatView(row, details),
    requestUri: details.uri,
    sourceIp: row.sourceIp,
    userAgent: row.userAgent,
    authMethod: details.auth ?? null,
    credentialId: details.sessionId ?? null,
    siloId: row.otherSiloId ?? row.siloId,
    siloName: details.siloName ?? null,
    hash: row.hash,
  }
}

/** An entry as activity, none if it is about a project that the caller does not see: an image may have been in others. */
function activityViewFor({ actor }: RequestContext) {
  return (row: AuditEntryTable) => {
    const details = detailsIn(row)
    const { projectId } = details
    if (!actor || (projectId !== undefined && !seesEntriesOf(actor, projectId))) return []
    return [whatView(row, details)]
  }
}

const seesEntriesOf = (actor: Actor, projectId: string): boolean =>
  permits(actor, operations.auditLogList.allow) || seesProject(actor, { id: projectId, siloId: actor.siloId })
