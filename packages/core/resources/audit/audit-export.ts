/** The audit log as a file: written page by page, while it is read. */
import { AuditLogEntry } from '@purlin/contract/operations/audit/audit-log'
import { changesWords } from '@purlin/contract/rules/audit/deeds'
import type { Out } from '@purlin/contract/schema'
import { exportFormats, type ExportFormat } from '@purlin/contract/schemas/export'
import { encode } from '@purlin/contract/wire'
import { permit } from '#/auth/resolve.ts'
import type { Ctx, Family, RequestContext } from '#/context.ts'
import { entryView, pageOfLog, siloOf, upToDate, type LogQuery } from './audit-log.ts'
import { actorStill, csvHead, dayOf, lineOf, limitExportReads } from '../lists/exports.ts'

type Entry = Out<typeof AuditLogEntry>

const perRead = 250

export const auditExports: Family<'auditLogExport' | 'siloAuditLogExport'> = {
  auditLogExport: {
    withoutTransaction: (request, { query }) =>
      startExport(request, query.format, async (ctx) => {
        permit(ctx)
        return { ...query, siloId: await siloOf(ctx, query) }
      }),
  },
  siloAuditLogExport: {
    withoutTransaction: (request, { query }) =>
      startExport(request, query.format, (ctx) => {
        permit(ctx)
        return Promise.resolve({ ...query, siloId: ctx.actor.siloId, about: ctx.actor.siloId })
      }),
  },
}

/** Answers with a file. What `check` throws is answered before it begins. */
async function startExport(
  request: RequestContext,
  format: ExportFormat,
  check: (ctx: Ctx) => Promise<LogQuery>,
): Promise<void> {
  await request.transaction('read', check)
  await upToDate(request.world)
  request.answer.stream = {
    contentType: exportFormats[format],
    fileName: `audit-log-${dayOf(request)}.${format}`,
    text: write(request, format, check),
  }
}

async function* write(
  request: RequestContext,
  format: ExportFormat,
  check: (ctx: Ctx) => Promise<LogQuery>,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvHead(columns.map(([name]) => name))
  for (let pageToken: string | undefined; ;) {
    const read = () =>
      request.transaction('read', async (ctx) =>
        pageOfLog(ctx, { ...(await check(ctx)), limit: perRead, pageToken }),
      )
    const page = await limitExportReads(request, read)
    yield page.items.map((row) => textOf[format](entryView(row))).join('')
    if (page.nextPage === null) return
    pageToken = page.nextPage
    await actorStill(request)
  }
}

const textOf: Record<ExportFormat, (entry: Entry) => string> = {
  jsonl: (entry) => `${JSON.stringify(encode(AuditLogEntry, entry))}\n`,
  csv: (entry) => lineOf(columns.map(([, cell]) => cell(entry))),
}

/** The columns of a CSV file, under the names that the API has for them. */
const columns: readonly (readonly [
  name: string,
  cell: (entry: Entry) => string | number | null | undefined,
])[] = [
  ['time_completed', (one) => one.timeCompleted.toISOString()],
  ['time_started', (one) => one.timeStarted.toISOString()],
  ['operation_id', (one) => one.operationId],
  ['actor_kind', (one) => one.actor.kind],
  ['actor_id', (one) => (one.actor.kind === 'silo_user' ? one.actor.siloUserId : null)],
  ['actor_name', (one) => one.actorName],
  ['silo_id', (one) => one.siloId],
  ['silo_name', (one) => one.siloName],
  ['source_ip', (one) => one.sourceIp],
  ['user_agent', (one) => one.userAgent],
  ['auth_method', (one) => one.authMethod],
  ['credential_id', (one) => one.credentialId],
  ['request_uri', (one) => one.requestUri],
  ['result', (one) => one.result.kind],
  ['http_status_code', (one) => (one.result.kind === 'unknown' ? null : one.result.httpStatusCode)],
  ['error_code', (one) => (one.result.kind === 'error' ? one.result.errorCode : null)],
  ['error_message', (one) => (one.result.kind === 'error' ? one.result.errorMessage : null)],
  ['objects', (one) => one.objects?.map(objectText).join('; ')],
  ['id', (one) => one.id],
  ['request_id', (one) => one.requestId],
  ['hash', (one) => one.hash],
]

function objectText(object: NonNullable<Entry['objects']>[number]): string {
  const { type, id, nameBefore, nameAfter, tagKeys, protected: isProtected, changes } = object
  const name = nameBefore === nameAfter ? nameBefore : `${nameBefore ?? '(none)'} → ${nameAfter ?? '(none)'}`
  const tags = tagKeys ? ` (tags ${tagKeys.join(', ')})` : ''
  const protection = isProtected === undefined ? '' : isProtected ? ' (protected)' : ' (protection removed)'
  return `${type} ${id} ${name}${tags}${protection}${changes ? ` (${changesWords(object)})` : ''}`
}
