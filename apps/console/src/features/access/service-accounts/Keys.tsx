import {
  serviceAccountKeyDelete,
  serviceAccountKeyList,
} from '@purlin/contract/operations/access/service-accounts'
import { useQuery } from '@tanstack/react-query'
import KeyRound from 'lucide-react/icons/key-round'
import { useState } from 'react'
import { failure } from '#/api/errors.ts'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { askOne } from '#/resource/actions/askOne.tsx'
import type { Confirmation } from '#/resource/actions/confirmation.tsx'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { nameQuery, nameStaleMs } from '#/resource/form/names.ts'
import { kinds } from '#/resource/kinds.ts'
import { Expires } from '#/resource/list/tokenColumns.tsx'
import { NewButton } from '#/ui/button/NewButton.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { type Account, type Key, keysQuery } from './accounts.ts'
import { KeyDialog, SecretDialog } from './KeyDialogs.tsx'

/** The keys of a service account, which admins make and revoke. */
export function Keys({ silo, account, isOwn }: { silo: string; account: Account; isOwn: boolean }) {
  const { data, error, refetch } = useQuery(keysQuery(silo, account.name))
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  if (error && !data)
    return (
      <div className="flex flex-col items-start gap-3">
        <FormErrorBanner issues={[failure(error)]} />
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    )
  const create = (
    <NewButton
      disabledReason={account.disabled ? 'The service account is disabled. Enable it first.' : undefined}
      onClick={() => setAdding(true)}
    >
      New key
    </NewButton>
  )
  const revocation = revocationIn(silo, account)
  return (
    <>
      {data?.items.length === 0 ? (
        <EmptyState
          icon={<KeyRound />}
          title="No keys"
          body="A program sends a key with its requests. Each expires, and can be limited to reading or to one project."
          action={create}
        />
      ) : (
        <>
          <div className="mb-3 flex justify-end">{create}</div>
          <Table
            label="Keys"
            columns={columns}
            rows={data?.items ?? []}
            rowKey={({ id }) => id}
            skeletonRows={data ? 0 : 3}
            actions={(key) => (
              <RowMenu
                items={[
                  { label: 'Copy key ID', onAction: () => void copyWithToast(key.id, 'Key ID') },
                  { label: 'Revoke', danger: true, onAction: () => void askOne(revocation, key) },
                ]}
              />
            )}
          />
        </>
      )}
      {isAdding && (
        <KeyDialog
          silo={silo}
          account={account}
          isOwn={isOwn}
          onMade={setSecret}
          onDismiss={() => setAdding(false)}
        />
      )}
      {secret !== undefined && <SecretDialog secret={secret} onDismiss={() => setSecret(undefined)} />}
    </>
  )
}

const columns: readonly Column<Key>[] = [
  {
    id: 'name',
    header: 'name',
    isRowHeader: true,
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  {
    id: 'limits',
    header: 'limits',
    cell: ({ readOnly, projectId }) => (
      <span className="inline-flex flex-wrap gap-1">
        {readOnly && <Badge>read-only</Badge>}
        {projectId !== null && <ProjectBadge id={projectId} />}
        {!readOnly && projectId === null && <span className="text-secondary">None</span>}
      </span>
    ),
  },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
  { id: 'expires', header: 'expires', cell: ({ timeExpires }) => <Expires at={timeExpires} /> },
  {
    id: 'used',
    header: 'last used',
    cell: ({ timeLastUsed }) =>
      timeLastUsed ? <DateTime date={timeLastUsed} /> : <span className="text-secondary">Never</span>,
  },
]

/** The only project of a key, by its name if the reader may see it. */
function ProjectBadge({ id }: { id: string }) {
  const { data } = useQuery({ ...nameQuery(kinds.project, id), throwOnError: false, staleTime: nameStaleMs })
  return <Badge>only {data?.name ?? 'one project'}</Badge>
}

const revocationIn = (silo: string, { name }: Account): Confirmation<Pick<Key, 'id' | 'name'>> => ({
  noun: 'key',
  verb: 'revoke',
  done: 'revoked',
  isDanger: true,
  note: () => 'Programs that use it are refused at once.',
  request: ({ id }) =>
    requestTo(serviceAccountKeyDelete, { params: { serviceAccount: name, keyId: id }, query: { silo } }),
  after: () => invalidate(serviceAccountKeyList),
})
