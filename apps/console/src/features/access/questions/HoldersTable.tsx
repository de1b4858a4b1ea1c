import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import UserX from 'lucide-react/icons/user-x'
import { errorMessage } from '#/api/errors.ts'
import type { Place } from '#/features/access/place.ts'
import { personHref } from '#/features/access/people/person.ts'
import { ownQueries } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { UiLink } from '#/ui/button/link.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { holderRows, neededWords, withoutRoleWords, type HolderRow, type Operation } from './answers.ts'
import { holdersQuery } from './queries.ts'
import type { AccessQuestion } from './search.ts'

const columnsOf = (hrefOf: (row: HolderRow) => string): readonly Column<HolderRow>[] => [
  {
    id: 'name',
    header: 'user',
    cell: (row) =>
      row.isFirst ? (
        <UiLink href={hrefOf(row)} className="font-medium hover:text-accent-text">
          {row.name}
        </UiLink>
      ) : (
        <span className="sr-only">{row.name}</span>
      ),
  },
  {
    id: 'path',
    header: 'where it comes from',
    cell: ({ words, group }) => (
      <span className="inline-block min-w-48 whitespace-normal">
        {words}
        {group && `, through the group ${group.displayName}`}
      </span>
    ),
  },
  {
    id: 'expires',
    header: 'expires',
    cell: ({ expires }) => (expires ? <DateTime date={expires} /> : <Dash />),
  },
]

interface HoldersTableProps {
  place: Place
  about: Operation | undefined
  question: { operation: string; resource: string; page: string | undefined }
  /** The search of another page of the answer. */
  pageHref: (page: string | undefined) => AccessQuestion | { page: string | undefined }
}

/** All users with the permission, each with every way to it. */
export function HoldersTable({ place, about, question, pageHref }: HoldersTableProps) {
  const navigate = useNavigate()
  const ownSilo = useQuery(ownQueries.me()).data?.siloId
  const { data, error, isPending } = useQuery({
    ...holdersQuery(question.operation, question.resource, question.page),
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <Notice tone="danger">{errorMessage(error)}</Notice>
  const rows = data ? holderRows(data) : []
  const turn = (page: string | undefined) =>
    void navigate({ to: '.', search: pageHref(page) as never, resetScroll: false })
  return (
    <section aria-label="Answer" className="flex min-w-0 flex-col gap-3">
      {about && (
        <Notice title={`Who can ${about.summary.charAt(0).toLowerCase()}${about.summary.slice(1)}`}>
          {data?.withoutRole ? withoutRoleWords[data.withoutRole] : `It takes ${neededWords(about)}.`}
        </Notice>
      )}
      {!isPending && rows.length === 0 ? (
        <EmptyState icon={<UserX />} title="No users" body="No user has a sufficient role." />
      ) : (
        <Table
          label="Who can"
          columns={columnsOf((row) => personHref(row, ownSilo, place))}
          rows={rows}
          rowKey={({ key }) => key}
          skeletonRows={isPending ? 4 : 0}
        />
      )}
      {data?.isComplete === false && (
        <p className="text-hint text-secondary">
          There may be more: only roles from policies that you may read are shown.
        </p>
      )}
      {(data?.nextPage || question.page !== undefined) && (
        <div className="flex gap-2">
          <Button
            disabledReason={question.page === undefined ? 'This is the first page' : undefined}
            onClick={() => turn(undefined)}
          >
            First page
          </Button>
          <Button
            disabledReason={data?.nextPage ? undefined : 'This is the last page'}
            onClick={() => turn(data?.nextPage ?? undefined)}
          >
            Next page
          </Button>
        </div>
      )}
    </section>
  )
}
