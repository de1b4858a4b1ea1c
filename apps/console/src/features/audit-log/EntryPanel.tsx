import ScrollText from 'lucide-react/icons/scroll-text'
import { changeOf, objectWords } from '@purlin/contract/rules/audit/deeds'
import { nounOf } from '@purlin/contract/rules/kinds'
import { Badge } from '#/ui/value/Badge.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { anywhere } from '#/resource/address/pageOf.ts'
import { TextLink, UiLink } from '#/ui/button/link.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import {
  actorWords,
  ResultBadge,
  statusWords,
  type Done,
  type Entry,
  type Touched,
  whatWords,
} from './entries.tsx'

const id = (text: string) => <Truncate text={text} max={24} at="middle" copyable className="mono" />

interface EntryPanelProps {
  /** An entry of activity lacks where the request came from. */
  entry: Done & Partial<Entry>
  /** Its address in a log that has it in full. */
  inFull?: string | undefined
  onDismiss: () => void
}

/** One entry, as far as its reader may see it. */
export function EntryPanel({ entry, inFull, onDismiss }: EntryPanelProps) {
  const { actor, result, objects = [], objectsOmitted = 0, requestUri, sourceIp } = entry
  const isError = result.kind === 'error'
  return (
    <SideModal
      title="Audit log entry"
      resource={{ icon: ScrollText, name: whatWords(entry) }}
      onDismiss={onDismiss}
      footer={<Button onClick={onDismiss}>Close</Button>}
    >
      <PropertiesTable
        columns={1}
        properties={[
          { label: 'Result', value: <ResultBadge result={result} /> },
          ...(result.kind === 'unknown'
            ? []
            : [{ label: 'Status', value: statusWords(result.httpStatusCode) }]),
          ...(isError
            ? [{ label: 'Error', value: <span className="wrap-anywhere">{result.errorMessage}</span> }]
            : []),
          { label: 'Completed', value: <DateTime date={entry.timeCompleted} seconds /> },
          { label: 'Took', value: `${entry.timeCompleted.getTime() - entry.timeStarted.getTime()} ms` },
          { label: 'Operation', value: <span className="mono wrap-anywhere">{entry.operationId}</span> },
          ...(requestUri === undefined
            ? []
            : [{ label: 'Request', value: <span className="mono wrap-anywhere">{requestUri}</span> }]),
        ]}
      />
      <PropertiesTable
        columns={1}
        properties={[
          { label: 'Actor', value: actorWords(entry) },
          { label: 'Actor ID', value: actor.kind === 'silo_user' ? id(actor.siloUserId) : null },
          ...(sourceIp === undefined
            ? []
            : [
                { label: 'Silo', value: entry.siloName },
                { label: 'Address', value: <span className="mono">{sourceIp}</span> },
                { label: 'User agent', value: <span className="wrap-anywhere">{entry.userAgent}</span> },
                { label: 'Signed in by', value: entry.authMethod?.replaceAll('_', ' ') },
                { label: 'Credential', value: entry.credentialId ? id(entry.credentialId) : null },
              ]),
        ]}
      />
      {inFull && (
        <p className="text-hint text-secondary">
          The address and the credential of the request are in the{' '}
          <TextLink href={inFull}>audit log of the silo</TextLink>.
        </p>
      )}
      <section className="flex flex-col gap-2">
        <h3 className="font-semibold">Objects</h3>
        {objects.length === 0 ? (
          <p className="text-secondary">The request named none that exists.</p>
        ) : (
          <ul className="flex flex-col divide-y divide-line-faint rounded-lg border border-line bg-raised">
            {objects.map((one) => (
              <ObjectLine key={one.id} object={one} />
            ))}
          </ul>
        )}
        {objectsOmitted > 0 && (
          <p className="text-hint text-secondary">{objectsOmitted} more are not listed.</p>
        )}
      </section>
      <PropertiesTable
        columns={1}
        properties={[
          idProperty(entry.id),
          { label: 'Request ID', value: id(entry.requestId) },
          ...(entry.hash === undefined ? [] : [{ label: 'Hash', value: id(entry.hash) }]),
        ]}
      />
    </SideModal>
  )
}

const tones = { made: 'ok', deleted: 'danger', renamed: 'neutral' } as const

function ObjectLine({ object }: { object: Touched }) {
  const change = changeOf(object)
  const { nameBefore, nameAfter } = object
  const href =
    nameAfter === null ? undefined : anywhere({ type: object.type, id: object.id, name: nameAfter })
  return (
    <li className="flex flex-col gap-1 px-4 py-2.5">
      <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <span className="text-secondary">{nounOf(object.type)}</span>
        <span className="font-medium wrap-anywhere">
          {change === 'renamed' && `${nameBefore} → `}
          {href === undefined ? (
            (nameAfter ?? nameBefore)
          ) : (
            <UiLink href={href} className="hover:text-accent-text">
              {nameAfter}
            </UiLink>
          )}
        </span>
        {change && <Badge tone={tones[change]}>{change}</Badge>}
      </span>
      {objectWords(object).map((words) => (
        <span key={words} className="text-secondary wrap-anywhere">
          {words}
        </span>
      ))}
      {id(object.id)}
    </li>
  )
}
