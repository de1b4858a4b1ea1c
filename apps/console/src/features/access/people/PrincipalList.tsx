import type { ListedType } from '@purlin/contract/operations/lists/list-views'
import type { groupList, userList } from '@purlin/contract/operations/silos/silos'
import { policyView } from '@purlin/contract/operations/access/policies'
import type { Result } from '@purlin/contract/op'
import type { Role } from '@purlin/contract/rules/roles'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { LucideIcon } from 'lucide-react'
import User from 'lucide-react/icons/user'
import Users from 'lucide-react/icons/users'
import { paths } from '#/lib/addresses.ts'
import { query } from '#/api/query.ts'
import { listPage, ordersOf } from '#/resource/list/listPage.ts'
import type { PagingSearch } from '#/resource/list/paging.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { usePageOptions } from '#/resource/list/usePageOptions.ts'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import type { MenuItem } from '#/ui/overlay/menuItems.ts'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { lastSignInColumn, useSeesSignIns } from './lastSignIn.tsx'
import { roleColumn, rolesIn } from './roleColumn.tsx'
import { stateColumn } from './stateColumn.tsx'

type Op = typeof userList | typeof groupList
type Principal = Result<typeof userList>['items'][number]

/** One page of users or groups: all of them, or those in `scope`. */
export const principalPage = (op: Op, search: PagingSearch, scope: object = {}) => listPage(op, scope, search)

interface Look {
  label: string
  type: ListedType
  icon: LucideIcon
  href: (id: string) => string
  empty: string
}
const looks: Record<'user' | 'group', Look> = {
  user: { label: 'Users', type: 'silo-user', icon: User, href: paths.user, empty: 'The silo has no users.' },
  group: {
    label: 'Groups',
    type: 'silo-group',
    icon: Users,
    href: paths.group,
    empty: 'The silo has no groups.',
  },
}

const columnsOf = (
  of: keyof typeof looks,
  { roles, seesSignIns }: { roles: ReadonlyMap<string, Role | null>; seesSignIns: boolean },
): readonly Column<Principal>[] => [
  {
    id: 'name',
    header: 'name',
    order: 'name',
    cell: ({ id, displayName }) => <CellLink href={looks[of].href(id)}>{displayName}</CellLink>,
  },
  roleColumn(roles),
  ...(of === 'user' ? [stateColumn] : []),
  ...(of === 'user' && seesSignIns ? [lastSignInColumn] : []),
  {
    id: 'id',
    header: 'ID',
    cell: ({ id }) => <Truncate text={id} max={32} at="middle" className="mono" />,
  },
]

const copyItem = ({ id }: Principal, label: string): MenuItem => ({
  label: 'Copy ID',
  onAction: () => void copyWithToast(id, `${label.slice(0, -1)} ID`),
})

/** The users or groups of the silo, or of `scope`, page by page. `children` appear above, at the right. */
export function PrincipalList({
  op,
  of,
  scope = {},
  empty,
  menu,
  children,
}: {
  op: Op
  of: keyof typeof looks
  scope?: object
  empty?: { title: string; body: string }
  /** The menu of a row: 'Copy ID' unless given. */
  menu?: (row: Principal) => MenuItem[]
  children?: ReactNode
}) {
  const { label, type, icon: Icon, empty: none } = looks[of]
  const { data: policy } = useQuery({ ...query(policyView, {}), throwOnError: false })
  const seen = { roles: rolesIn(policy), seesSignIns: useSeesSignIns() }
  const options = usePageOptions(op, scope, { type, columns: columnsOf(of, seen) })
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-end gap-2">
        {options.button}
        {children}
      </div>
      <QueryTable<Principal>
        label={label}
        kind={filteredKindOf(op)}
        queried={filteredKindOf(op)}
        orders={ordersOf(op)}
        query={options.query}
        columns={options.columns}
        actions={(row) => <RowMenu items={menu?.(row) ?? [copyItem(row, label)]} />}
        empty={
          <EmptyState
            icon={<Icon />}
            title={empty?.title ?? `No ${label.toLowerCase()}`}
            body={empty?.body ?? none}
          />
        }
      />
    </>
  )
}
