import { serviceAccountList } from '@purlin/contract/operations/access/service-accounts'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import { useNavigate } from '@tanstack/react-router'
import Bot from 'lucide-react/icons/bot'
import { useState } from 'react'
import { createdColumn, descriptionColumn } from '#/resource/list/columns.tsx'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { usePageOptions } from '#/resource/list/usePageOptions.ts'
import { useSiloAdminReason } from '#/resource/role/useSiloAdminReason.ts'
import { NewButton } from '#/ui/button/NewButton.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { AccountDialog } from './AccountDialogs.tsx'
import { accountHref, type Account, type AccountPlace } from './accounts.ts'
import { useAccountMenu } from './useAccountMenu.tsx'

/** The service accounts of a silo, for its admins. */
export function AccountList(place: AccountPlace) {
  const disabledReason = useSiloAdminReason(place.silo)
  return disabledReason === undefined ? <Accounts {...place} /> : <NotPermitted reason={disabledReason} />
}

export const NotPermitted = ({ reason }: { reason: string }) => (
  <Notice title="You do not have permission to view service accounts">{reason}</Notice>
)

/** Whether the account takes keys. */
export const AccountState = ({ disabled }: Pick<Account, 'disabled'>) =>
  disabled ? <Badge tone="idle">disabled</Badge> : <Badge tone="ok">enabled</Badge>

function Accounts(place: AccountPlace) {
  const { silo } = place
  const navigate = useNavigate()
  const [isAdding, setAdding] = useState(false)
  const { menu, dialog } = useAccountMenu(silo)
  const columns: readonly Column<Account>[] = [
    {
      id: 'name',
      header: 'name',
      order: 'name',
      cell: ({ name }) => <CellLink href={accountHref(place, name)}>{name}</CellLink>,
    },
    descriptionColumn,
    { id: 'state', header: 'state', cell: AccountState },
    createdColumn,
  ]
  const options = usePageOptions(serviceAccountList, { silo }, { type: 'service-account', columns })
  const create = <NewButton onClick={() => setAdding(true)}>New service account</NewButton>
  return (
    <>
      <div className="mb-3 flex flex-wrap justify-end gap-2">
        {options.button}
        {create}
      </div>
      <QueryTable<Account>
        label="Service accounts"
        queried={filteredKindOf(serviceAccountList)}
        query={options.query}
        columns={options.columns}
        actions={(one) => <RowMenu items={menu(one)} />}
        empty={
          <EmptyState
            icon={<Bot />}
            title="No service accounts"
            body="Create one for a script or a program: it gets its own roles, and keys that expire."
          />
        }
      />
      {isAdding && (
        <AccountDialog
          silo={silo}
          onDone={(name) => navigate({ href: accountHref(place, name) })}
          onDismiss={() => setAdding(false)}
        />
      )}
      {dialog}
    </>
  )
}
