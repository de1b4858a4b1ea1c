import { currentUserSshKeyList } from '@purlin/contract/operations/session'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import KeyRound from 'lucide-react/icons/key-round'
import { prefetch, query } from '../../../api.ts'
import { DescriptionCell } from '../../../parts/DescriptionCell.tsx'
import { useGoTo } from '../../../parts/goTo.ts'
import { listPage } from '../../../parts/listPage.ts'
import { lookUpLimit, pagingSearch, usePaging } from '../../../parts/paging.ts'
import { QueryTable } from '../../../parts/QueryTable.tsx'
import { useQuickActions } from '../../../parts/quickActions.ts'
import { guides, paths } from '../../../paths.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { DocsPopover } from '../../../ui/DocsPopover.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { RowMenu } from '../../../ui/RowMenu.tsx'
import { CellLink } from '../../../ui/table/CellLink.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { keyActions, type SshKey } from './_ssh-keys/-keyActions.tsx'
import { keyParts } from './_ssh-keys/-keyParts.ts'

export const Route = createFileRoute('/_auth/settings/_ssh-keys')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(listPage(currentUserSshKeyList, {}, deps)),
  staticData: { crumb: { label: 'SSH Keys', to: () => paths.sshKeys } },
  component: SshKeysPage,
})

const columns: readonly Column<SshKey>[] = [
  {
    id: 'name',
    header: 'name',
    sortable: true,
    cell: ({ name }) => <CellLink href={paths.sshKey(name)}>{name}</CellLink>,
  },
  {
    id: 'description',
    header: 'description',
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'type',
    header: 'type',
    cell: ({ publicKey }) => <span className="mono">{keyParts(publicKey).type}</span>,
  },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]

const addKey = (
  <LinkButton variant="primary" href={paths.sshKeyNew}>
    Add SSH key
  </LinkButton>
)

function SshKeysPage() {
  const list = listPage(currentUserSshKeyList, {}, usePaging().search)
  useQuickActions([{ label: 'Add SSH key', group: 'Actions', href: paths.sshKeyNew }])
  useGoTo({
    group: 'Go to SSH key',
    page: list,
    others: query(currentUserSshKeyList, { query: { limit: lookUpLimit } }),
    hrefOf: ({ name }) => paths.sshKey(name),
  })
  return (
    <>
      <PageHeader icon={<KeyRound />} title="SSH Keys">
        <DocsPopover
          topic="SSH keys"
          icon={<KeyRound />}
          summary="Public keys in your profile can be put into an instance when it is created, so that you can sign in to it with the private half."
          links={[guides.sshKeys]}
        />
        {addKey}
      </PageHeader>
      <QueryTable
        label="SSH keys"
        query={list}
        columns={columns}
        actions={(key) => <RowMenu items={keyActions(key)} />}
        empty={
          <EmptyState
            icon={<KeyRound />}
            title="No SSH keys"
            body="Add a public key to choose it when you create an instance."
            action={addKey}
          />
        }
      />
      <Outlet />
    </>
  )
}
