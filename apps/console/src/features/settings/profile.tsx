import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import CircleUser from 'lucide-react/icons/circle-user'
import Users from 'lucide-react/icons/users'
import { prefetch, query } from '#/api/query.ts'
import { useLocalSilo } from '#/resource/role/useLocalSilo.ts'
import { ownQueries, useOwnGroups, useRole } from '#/resource/role/useRole.ts'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { PlainKeysSwitch } from '#/resource/list/PlainKeysSwitch.tsx'
import { RoleBadge } from '#/resource/list/StateBadge.tsx'
import { paths } from '#/lib/addresses.ts'
import { failure } from '#/api/errors.ts'
import { Button } from '#/ui/button/Button.tsx'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { CopyButton } from '#/ui/button/CopyButton.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { Sessions } from '../access/tokens/Sessions.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'

export const Route = createFileRoute('/_auth/settings/profile')({
  loader: () => prefetch(ownQueries.groups()),
  staticData: { crumb: { label: 'Profile', to: () => paths.profile } },
  component: ProfilePage,
})

interface Group {
  id: string
  displayName: string
}
const columns: readonly Column<Group>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ displayName }) => <span className="font-medium">{displayName}</span>,
  },
]

const CopyableId = ({ id }: { id: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span className="mono wrap-anywhere">{id}</span>
    <CopyButton text={id} />
  </span>
)

function ProfilePage() {
  const { data: me } = useSuspenseQuery(query(currentUserView, { query: {} }))
  const { silo } = useLocalSilo()
  const properties = [
    { label: 'Display name', value: me.displayName },
    { label: 'User ID', value: <CopyableId id={me.id} /> },
    { label: 'Silo', value: me.siloName },
    { label: 'Silo ID', value: <CopyableId id={me.siloId} /> },
    { label: 'Silo role', value: <SiloRole /> },
  ]
  return (
    <>
      <PageHeader icon={<CircleUser />} title="Profile">
        {silo !== undefined && <LinkButton href={paths.password}>Change password</LinkButton>}
      </PageHeader>
      <PropertiesTable columns={1} properties={properties} />
      <section className="mt-7">
        <h2 className="mb-2.5 text-md font-semibold">Groups</h2>
        <Groups />
      </section>
      <section className="mt-7">
        <h2 className="mb-2.5 text-md font-semibold">Sessions</h2>
        <Sessions user={me.id} name={me.displayName} lacks={undefined} />
      </section>
      <section className="mt-7">
        <h2 className="mb-2.5 text-md font-semibold">Keyboard</h2>
        <PlainKeysSwitch />
      </section>
      <p className="mt-5 text-secondary">
        {silo === undefined
          ? 'Your organization manages your name and groups.'
          : 'The administrators of the silo manage your name and groups.'}{' '}
        To have them changed, contact your administrator.
      </p>
    </>
  )
}

function SiloRole() {
  const { role } = useRole()
  if (role === undefined) return <Skeleton className="h-2.5 w-20 align-middle" />
  return role ? (
    <RoleBadge source="silo" role={role} />
  ) : (
    <span className="text-secondary">None. You may have roles on individual projects</span>
  )
}

function Groups() {
  const { data, error, refetch } = useOwnGroups()
  if (error && !data) {
    return (
      <div className="flex flex-col items-start gap-3">
        <FormErrorBanner issues={[failure(error)]} />
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    )
  }
  if (data?.length === 0) {
    return (
      <EmptyState
        icon={<Users />}
        title="No groups"
        body="You are not in any group. Roles of a group apply to all its members."
      />
    )
  }
  return (
    <Table
      label="Groups"
      columns={columns}
      rows={data ?? []}
      rowKey={({ id }) => id}
      skeletonRows={3}
      actions={({ id }) => (
        <RowMenu items={[{ label: 'Copy ID', onAction: () => void copyWithToast(id, 'Group ID') }]} />
      )}
    />
  )
}
