import { accessExplain } from '@purlin/contract/operations/access/access'
import { useQuery } from '@tanstack/react-query'
import ShieldOff from 'lucide-react/icons/shield-off'
import { errorMessage } from '#/api/errors.ts'
import { query } from '#/api/query.ts'
import { ApiError } from '#/api/send.ts'
import { paths } from '#/lib/addresses.ts'
import { RoleBadge } from '#/resource/list/StateBadge.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { UiLink } from '#/ui/button/link.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { pathRows, type PathRow } from './roleRows.ts'

/** The roles of a user or group with where each comes from. */
export const explanation = (identity: string) => ({
  ...query(accessExplain, { query: { identity, limit: 100 } }),
  throwOnError: false,
})

const columns: readonly Column<PathRow>[] = [
  {
    id: 'on',
    header: 'on',
    cell: ({ on, isFirst }) =>
      isFirst ? <span className="font-medium">{on}</span> : <span className="sr-only">{on}</span>,
  },
  {
    id: 'role',
    header: 'effective role',
    cell: ({ level, role, isFirst }) => (isFirst ? <RoleBadge source={level} role={role} /> : null),
    tip: 'The strongest of all that apply',
  },
  {
    id: 'path',
    header: 'where it comes from',
    cell: ({ words, group }) => (
      <span className="inline-block min-w-48 whitespace-normal">
        {words}
        {group && (
          <>
            {', through the group '}
            <UiLink href={paths.group(group.id)} className="font-medium hover:text-accent-text">
              {group.displayName}
            </UiLink>
          </>
        )}
      </span>
    ),
  },
  {
    id: 'expires',
    header: 'expires',
    cell: ({ expires }) => (expires ? <DateTime date={expires} /> : <Dash />),
  },
]

/** Roles with each way to them. Without rows they are still coming. */
export const EffectiveRoleTable = ({ rows }: { rows: readonly PathRow[] }) => (
  <Table
    label="Effective roles"
    columns={columns}
    rows={[...rows]}
    rowKey={({ key }) => key}
    skeletonRows={3}
  />
)

export function EffectiveRoles({ identity }: { identity: string }) {
  const { data, error, isPending } = useQuery(explanation(identity))
  if (error && !data) {
    const isRefused = error instanceof ApiError && error.status === 403
    return (
      <Notice>
        {isRefused
          ? 'Roles of others are shown to viewers of the silo and of the fleet.'
          : `Could not load the roles: ${errorMessage(error)}`}
      </Notice>
    )
  }
  const rows = data ? pathRows(data) : []
  return (
    <div className="flex flex-col gap-3">
      {!isPending && rows.length === 0 ? (
        <EmptyState
          icon={<ShieldOff />}
          title="No roles"
          body="Without a role on the silo or a project, you cannot see its contents."
        />
      ) : (
        <EffectiveRoleTable rows={rows} />
      )}
      {data?.isComplete === false && (
        <p className="text-hint text-secondary">
          There may be more: roles are shown only from policies that you may read.
        </p>
      )}
      {data?.nextPage && <p className="text-hint text-secondary">The first {data.items.length} are shown.</p>}
    </div>
  )
}
