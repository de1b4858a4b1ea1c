/** How entries of the audit log are shown. */
import type { resourceActivity, siloAuditLogList } from '@purlin/contract/operations/audit/audit-log'
import type { Result } from '@purlin/contract/op'
import {
  deedWords,
  mainObject,
  nameOf,
  otherObjects,
  sentenceText,
  saysChange,
} from '@purlin/contract/rules/audit/deeds'
import { doneWords } from '@purlin/contract/rules/audit/done-words'
import { nounOf } from '@purlin/contract/rules/kinds'
import { capitalize } from '#/lib/text.ts'
import { Badge, type BadgeTone } from '#/ui/value/Badge.tsx'
import type { AuditFilters } from './search.ts'

export type Entry = Result<typeof siloAuditLogList>['items'][number]
/** An entry as those read it who see the resource: without addresses and credentials. */
export type Done = Result<typeof resourceActivity>['items'][number]
export type Touched = NonNullable<Entry['objects']>[number]

/** `disk_create` in the log: `Created disk`. */
export const operationWords = (operationId: string): string => capitalize(doneWords(operationId))

/** The deed of an entry where its object is in another column: `Resized from 2 to 4 vCPUs`. */
export const whatWords = (done: Pick<Done, 'operationId' | 'objects'>): string => capitalize(deedWords(done))

export const actorWords = ({ actor, actorName }: Pick<Done, 'actor' | 'actorName'>): string =>
  actor.kind === 'unauthenticated' ? 'not signed in' : (actorName ?? 'unknown')

/** The deed of an entry in a chart: with its object, if the entry says what was changed. */
export const markWords = (done: Pick<Done, 'operationId' | 'objects'>): string =>
  capitalize(saysChange(done) ? sentenceText(done) : doneWords(done.operationId))

/** The filters that the menu of an entry offers. */
export const menuOfDone = (done: Done, filter: (next: AuditFilters) => void) => {
  const { actor, operationId } = done
  return [
    ...(actor.kind === 'silo_user'
      ? [{ label: `Only by ${actorWords(done)}`, onAction: () => filter({ actor: actor.siloUserId }) }]
      : []),
    { label: 'Only this operation', onAction: () => filter({ operation: operationId }) },
  ]
}

/** The name of a user, if one of these entries is theirs. */
export const actorNameIn = (entries: readonly Done[] = [], id: string | undefined): string | undefined =>
  entries.find(({ actor }) => actor.kind === 'silo_user' && actor.siloUserId === id)?.actorName ?? undefined

/** `disk web-1`, and how many more there are. */
export function ObjectCell({ done }: { done: Pick<Done, 'operationId' | 'objects' | 'objectsOmitted'> }) {
  const main = mainObject(done)
  if (!main) return <span className="text-tertiary">—</span>
  const more = otherObjects(done)
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
      <span className="text-secondary">{nounOf(main.type)}</span>
      <span className="min-w-0 font-medium break-words">{nameOf(main)}</span>
      {more > 0 && <span className="text-tertiary">+{more}</span>}
    </span>
  )
}

/** The names of status codes (RFC 9110, RFC 6585), as people say them. */
const statusNames: Partial<Record<number, string>> = {
  400: 'bad request',
  401: 'not signed in',
  403: 'forbidden',
  404: 'not found',
  405: 'method not allowed',
  408: 'timed out',
  409: 'conflict',
  412: 'changed before',
  413: 'too large',
  415: 'unsupported format',
  429: 'too many requests',
  500: 'server error',
  503: 'unavailable',
  507: 'storage full',
}

/** The status of a response in the details of an entry: `forbidden (403)`. */
export const statusWords = (code: number): string => {
  const name = statusNames[code]
  return name === undefined ? String(code) : `${name} (${code})`
}

/** The end of an operation in one word, with its tone. A refusal is about the request, a failure about the server. */
export function resultOf(result: Entry['result']): { word: string; tone: BadgeTone } {
  if (result.kind === 'success') return { word: 'done', tone: 'ok' }
  if (result.kind === 'unknown') return { word: 'unknown', tone: 'idle' }
  return result.httpStatusCode < 500 ? { word: 'refused', tone: 'warn' } : { word: 'failed', tone: 'danger' }
}

export function ResultBadge({ result }: { result: Entry['result'] }) {
  const { word, tone } = resultOf(result)
  return <Badge tone={tone}>{word}</Badge>
}
