import {
  diskSnapshotScheduleDelete,
  diskSnapshotScheduleUpdate,
  diskSnapshotScheduleView,
} from '@purlin/contract/operations/storage/snapshot-schedules'
import { countOf } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '@purlin/contract/client'
import { errorMessage } from '#/api/errors.ts'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { lazily } from '#/lib/lazily.tsx'
import { capitalize } from '#/lib/text.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { roleFor } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { UserName } from '#/resource/UserName.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { argsOf, intervalWords, scheduleQuery, zoneOf, type OfDisk, type Schedule } from './schedule.ts'
import type { ScheduleFormProps } from './ScheduleForm.tsx'

const ScheduleForm = lazily(() => import('./ScheduleForm.tsx'), 'ScheduleForm')

interface Props {
  project: string
  disk: ScheduleFormProps['disk']
}

/** The snapshot schedule of a disk, as a part of its panel. */
export function ScheduleInPanel({ project, disk }: Props) {
  const { data, error, refetch } = useQuery(scheduleQuery(disk.id))
  // Servers of the original API have no schedules.
  if (error instanceof ApiError && error.status === 404) return null
  return (
    <section aria-label="Snapshot schedule" className="flex flex-col gap-2">
      <h3 className="font-semibold">Snapshot schedule</h3>
      {data ? (
        <Content project={project} disk={disk} row={data} />
      ) : error ? (
        <>
          <Notice tone="danger">Could not load the snapshot schedule: {errorMessage(error)}</Notice>
          <Button size="small" className="self-start" onClick={() => void refetch()}>
            Try again
          </Button>
        </>
      ) : (
        <Skeleton className="h-16 w-full" />
      )}
    </section>
  )
}

function Content({ project, disk, row }: Props & { row: OfDisk }) {
  const [isOpen, setOpen] = useState(false)
  const { lacks } = useRole(project)
  const role = roleFor(diskSnapshotScheduleUpdate)
  const reason = role && lacks(role)
  const { schedule } = row
  return (
    <>
      {schedule ? (
        <ScheduleProperties schedule={schedule} />
      ) : (
        <p className="text-secondary">No snapshots are made regularly.</p>
      )}
      <div className="flex gap-2">
        <Button size="small" disabledReason={reason} onClick={() => setOpen(true)}>
          {schedule ? 'Change' : 'Set schedule'}
        </Button>
        {schedule && (
          <Button size="small" variant="danger" disabledReason={reason} onClick={() => askToDelete(disk)}>
            Delete schedule
          </Button>
        )}
      </div>
      {isOpen && <ScheduleForm disk={disk} onDismiss={() => setOpen(false)} />}
    </>
  )
}

function ScheduleProperties({ schedule }: { schedule: Schedule }) {
  const { everyHours, keep, timeNextRun, timeLastRun, lastError, userId } = schedule
  const properties = [
    { label: 'Runs', value: intervalWords(everyHours) },
    { label: 'Time zone', value: zoneOf(schedule) },
    { label: 'Keeps', value: countOf(keep, 'snapshot') },
    { label: 'Next run', value: timeNextRun ? <DateTime date={timeNextRun} /> : <Badge>Paused</Badge> },
    { label: 'Last run', value: timeLastRun && <DateTime date={timeLastRun} /> },
    { label: 'Set by', value: <UserName userId={userId} /> },
  ]
  return (
    <>
      {lastError && (
        <Notice tone="danger" title="The last run has failed">
          {capitalize(lastError)}
        </Notice>
      )}
      <PropertiesTable columns={1} properties={properties} />
    </>
  )
}

const askToDelete = ({ id, name }: Props['disk']) =>
  confirmAction({
    modalTitle: 'Delete snapshot schedule',
    modalContent: (
      <p>
        No more snapshots of <Highlight>{name}</Highlight> will be made regularly. Those that the schedule has
        made stay, and are no longer deleted when they are old.
      </p>
    ),
    errorTitle: 'Could not delete the snapshot schedule',
    actionType: 'danger',
    request: requestTo(diskSnapshotScheduleDelete, argsOf(id)),
    doAction: async () => {
      await invalidate(diskSnapshotScheduleView)
      addToast({ content: `Snapshot schedule of ${name} deleted` })
    },
  })
