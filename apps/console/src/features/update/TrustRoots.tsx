import { systemUpdateTrustRootDelete } from '@purlin/contract/operations/updates/trust-roots'
import { useQuery } from '@tanstack/react-query'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useState } from 'react'
import { requestTo } from '#/api/request.ts'
import { Expiry } from '#/features/certificates/Expiry.tsx'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { TableCard } from '#/ui/table/TableCard.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { AddTrustRoot } from './AddTrustRoot.tsx'
import { signaturesText, statementsOf } from './rootDocument.ts'
import { reloadTrustRoots, trustRootsQuery, type TrustRoot } from './queries.ts'

const columns: readonly Column<TrustRoot>[] = [
  {
    id: 'keys',
    header: 'Keys',
    isRowHeader: true,
    cell: ({ rootRole }) => (
      <span className="flex flex-col gap-0.5">
        {statementsOf(rootRole).keyIds.map((keyId) => (
          <Truncate key={keyId} text={keyId} max={20} at="middle" copyable className="mono" />
        ))}
      </span>
    ),
  },
  {
    id: 'signatures',
    header: 'Must sign',
    mono: true,
    cell: ({ rootRole }) => signaturesText(statementsOf(rootRole)),
  },
  { id: 'version', header: 'Version', mono: true, cell: ({ rootRole }) => statementsOf(rootRole).version },
  {
    id: 'expires',
    header: 'Expires',
    cell: ({ rootRole }) => {
      const { expires } = statementsOf(rootRole)
      return expires === undefined ? null : <Expiry notAfter={expires} />
    },
  },
  { id: 'created', header: 'Added', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
  {
    id: 'id',
    header: 'ID',
    cell: ({ id }) => <Truncate text={id} max={20} at="middle" copyable className="mono" />,
  },
]

/** The root documents whose repositories are accepted. */
export function TrustRoots() {
  const { lacks } = useRole(undefined, 'fleet')
  const { data } = useQuery(trustRootsQuery())
  const disabledReason = lacks('admin')
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <TableCard
        title="Trust roots"
        description="Root documents of publishers. Only repositories that one of them has signed are accepted."
        columns={columns}
        rows={data?.items}
        rowKey={({ id }) => id}
        skeletonRows={2}
        buttons={
          <Button size="small" disabledReason={disabledReason} onClick={() => setAdding(true)}>
            Add trust root
          </Button>
        }
        rowActions={(row) => (
          <RowMenu
            items={[{ label: 'Remove', danger: true, disabledReason, onAction: () => confirmRemoval(row) }]}
          />
        )}
        empty={{
          icon: <ShieldCheck />,
          title: 'No trust roots',
          body: 'Add the root document of your publisher, a JSON file that comes with its first release.',
        }}
      />
      {isAdding && <AddTrustRoot onDismiss={() => setAdding(false)} />}
    </>
  )
}

const confirmRemoval = ({ id }: TrustRoot): void =>
  confirmAction({
    modalTitle: 'Remove trust root',
    modalContent: (
      <p>
        Repositories that are signed by this root can no longer be uploaded. Those that are there already
        stay.
      </p>
    ),
    errorTitle: 'Could not remove the trust root',
    actionType: 'danger',
    request: requestTo(systemUpdateTrustRootDelete, { params: { trustRootId: id } }),
    doAction: async () => {
      await reloadTrustRoots()
      addToast({ content: 'Trust root removed', variant: 'success' })
    },
  })
