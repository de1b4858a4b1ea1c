/** How entries of the audit log are shown. */
import type { siloAuditLogList } from '@purlin/contract/operations/audit/audit-log'
import type { Result } from '@purlin/contract/op'
import { nounOf } from '@purlin/contract/rules/kinds'
import { capitalize } from '#/lib/text.ts'
import { Badge } from '#/ui/value/Badge.tsx'

export type Entry = Result<typeof siloAuditLogList>['items'][number]
/** The additional parts of an activity. */
export type Done = Pick<
  Entry,
  'id' | 'operationId' | 'actor' | 'actorName' | 'objects' | 'objectsOmitted' | 'result' | 'timeCompleted'
>
export type Touched = NonNullable<Entry['objects']>[number]

/** `disk_create` as people say it: `Disk create`. */
export const operationWords = (operationId: string): string =>
  capitalize(
    operationId
      .replaceAll('_', ' ')
      .replaceAll(/\b(?:ip|vpc|ssh|id|idp|scim|saml|bgp|bfd|lldp)\b/g, (word) => word.toUpperCase()),
  )

export const actorWords = ({ actor, actorName }: Pick<Done, 'actor' | 'actorName'>): string =>
  actor.kind === 'unauthenticated' ? 'not signed in' : (actorName ?? 'unknown')

/** The change of an object. */
export function changeOf({ nameBefore, nameAfter }: Touched): 'made' | 'deleted' | 'renamed' | undefined {
  if (nameBefore === null) return 'made'
  if (nameAfter === null) return 'deleted'
  return nameBefore === nameAfter ? undefined : 'renamed'
}

export const nameOf = ({ nameBefore, nameAfter }: Touched): string => nameAfter ?? nameBefore ?? ''

/** The object that an entry is mostly about: what it has changed or, if nothing, the last one that it names. */
export const mainObject = ({ objects = [] }: Pick<Done, 'objects'>): Touched | undefined =>
  objects.find((one) => changeOf(one) !== undefined) ?? objects.at(-1)

/** `disk web-1`, and how many more there are. */
export function ObjectCell({ done }: { done: Pick<Done, 'objects' | 'objectsOmitted'> }) {
  const main = mainObject(done)
  if (!main) return <span className="text-tertiary">—</span>
  const more = (done.objects?.length ?? 0) - 1 + (done.objectsOmitted ?? 0)
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
      <span className="text-secondary">{nounOf(main.type)}</span>
      <span className="min-w-0 font-medium break-words">{nameOf(main)}</span>
      {more > 0 && <span className="text-tertiary">+{more}</span>}
    </span>
  )
}

export function ResultBadge({ result }: { result: Entry['result'] }) {
  switch (result.kind) {
    case 'success':
      return <Badge tone="ok">{result.httpStatusCode}</Badge>
    case 'error':
      return <Badge tone="danger">{result.httpStatusCode}</Badge>
    case 'unknown':
      return <Badge tone="note">unknown</Badge>
  }
}
