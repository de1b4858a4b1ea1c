import {
  systemBackupFolderView,
  systemBackupStart,
  systemBackupView,
} from '@purlin/contract/operations/backups/backups'
import type { Result } from '@purlin/contract/op'
import { countOf } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { RequestButton } from '#/resource/command/RequestButton.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { folderQuery } from './queries.ts'

type InFolder = Result<typeof systemBackupFolderView>['items'][number]

const reload = () => invalidate(systemBackupView, systemBackupFolderView)

/** Begins a backup. */
export function BackUpNow({ disabledReason }: { disabledReason: string | undefined }) {
  return (
    <RequestButton
      variant="primary"
      disabledReason={disabledReason}
      request={requestTo(systemBackupStart, {})}
      done={() => ({ content: 'The backup begins' })}
      errorTitle="Could not begin a backup"
      reload={reload}
    >
      Back up now
    </RequestButton>
  )
}

const columns: readonly Column<InFolder>[] = [
  { id: 'name', header: 'name', mono: true, isRowHeader: true, cell: ({ id }) => id },
  { id: 'made', header: 'made', cell: ({ timeMade }) => <DateTime date={timeMade} /> },
  {
    id: 'size',
    header: 'size',
    cell: ({ size }) => (size === null ? <Badge tone="danger">damaged</Badge> : <Size bytes={size} />),
  },
]

const underWayMs = 2_000
const idleMs = 10_000

/** The folder of backups, and the latest backups in it. */
export function Folder() {
  const { data, error } = useQuery({
    ...folderQuery,
    refetchInterval: ({ state }) => (state.data?.isUnderWay ? underWayMs : idleMs),
    throwOnError: false,
  })
  if (error && !data)
    return (
      <Notice tone="danger" title="Could not load the backups">
        <p className="mb-2">{errorMessage(error)}</p>
        <Button onClick={() => void reload()}>Try again</Button>
      </Notice>
    )
  if (!data) return <Skeleton className="h-2.5 w-60" />
  const { folder, keep, isUnderWay, items } = data
  return (
    <Card flush title="Backups" description={isUnderWay ? 'A backup is made now.' : undefined}>
      <p className="px-4 py-3 wrap-anywhere">
        {folder === null ? (
          'This server has no folder of backups: another one makes them.'
        ) : (
          <>
            In <span className="mono">{folder}</span>
            <span className="text-secondary">
              {keep !== null && `, the last ${countOf(keep, 'backup')} are kept`}
            </span>
            {items.length === 0 && '. There is none yet.'}
          </>
        )}
      </p>
      {items.length > 0 && (
        <Table
          label="Backups"
          className="rounded-none border-0 border-t"
          columns={columns}
          rows={items}
          rowKey={({ id }) => id}
        />
      )}
    </Card>
  )
}
