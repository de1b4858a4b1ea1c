import type { systemBackupView } from '@purlin/contract/operations/backups/backups'
import type { Result } from '@purlin/contract/op'
import ArchiveRestore from 'lucide-react/icons/archive-restore'
import { countOf } from '@purlin/contract/rules/kinds'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { BackUpNow, Folder } from './Folder.tsx'
import { backupQuery } from './queries.ts'

type Schedule = NonNullable<Result<typeof systemBackupView>['schedule']>

const pollMs = 10_000

/** The schedule of backups, the last backup, and why they fail. */
export function Backup() {
  const { schedule } = useLoaded({ ...backupQuery, refetchInterval: pollMs })
  const { lacks } = useRole(undefined, 'fleet')
  const lacking = lacks('admin')
  return (
    <>
      <PageHeader icon={<ArchiveRestore />} title="Backup">
        <BackUpNow
          disabledReason={lacking ?? (schedule ? undefined : 'Start a server with --backup-to first')}
        />
      </PageHeader>
      {schedule ? (
        <div className="space-y-6">
          <Trouble schedule={schedule} />
          <PropertiesTable properties={propertiesOf(schedule)} />
          {lacking === undefined && <Folder />}
        </div>
      ) : (
        <EmptyState
          icon={<ArchiveRestore />}
          title="No backups by schedule"
          body={
            <>
              Start a server with <code className="mono">--backup-to</code> and a folder on another volume to
              make them. <code className="mono">npm run backup</code> makes one at any time.
            </>
          }
        />
      )}
    </>
  )
}

function Trouble({ schedule: { failure, isOverdue } }: { schedule: Schedule }) {
  if (failure)
    return (
      <Notice tone="danger" title="Backups fail">
        {failure.reason} It has failed since <DateTime date={failure.since} />, and is attempted again every
        15 minutes.
      </Notice>
    )
  if (!isOverdue) return null
  return (
    <Notice tone="danger" title="The backup is overdue">
      Check that a server with <code className="mono">--backup-to</code> is running, and read its log.
    </Notice>
  )
}

const propertiesOf = ({ everyHours, timeDue, last }: Schedule) => [
  { label: 'Interval', value: `Every ${countOf(everyHours, 'hour')}` },
  { label: 'Next backup', value: <DateTime date={timeDue} /> },
  { label: 'Last backup', value: last && <DateTime date={last.timeCompleted} /> },
  { label: 'Size', value: last && <Size bytes={last.size} /> },
  { label: 'Name', value: last && <span className="mono">{last.id}</span> },
]
