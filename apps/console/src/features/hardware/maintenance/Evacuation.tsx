import { sledMaintenanceEnd, sledMaintenanceStart } from '@purlin/contract/operations/hardware/hardware'
import { taskCancel, taskItemList, taskView } from '@purlin/contract/operations/tasks/tasks'
import { countOf } from '@purlin/contract/rules/kinds'
import type { TaskResult } from '@purlin/contract/rules/tasks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { paths } from '#/lib/addresses.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { RequestButton } from '#/resource/command/RequestButton.tsx'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { roleFor, roleScope, viewQuery } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { ProgressBar } from '#/ui/feedback/ProgressBar.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { Badge, type BadgeTone } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { sled as sledKind, type Sled } from '../kinds.ts'
import { planQuery, reloadMaintenance } from './queries.ts'
import { StartMaintenance } from './StartMaintenance.tsx'

type Maintenance = NonNullable<Sled['maintenance']>
interface EvacuationProps {
  sled: Sled
  maintenance: Maintenance
}

const pollMs = 1000

/** A sled in maintenance: how far it is, each instance, and what can be done next. */
export function Evacuation({ sled, maintenance }: EvacuationProps) {
  const { state, taskId } = maintenance
  const isMoving = state === 'evacuating'
  // The row changes with each instance that leaves.
  useQuery({ ...viewQuery(sledKind, sled.id), refetchInterval: isMoving ? pollMs : false })
  return (
    <div className="flex flex-col gap-4">
      <Card title={titles[state]} actions={<Controls sled={sled} maintenance={maintenance} />}>
        <Status sled={sled} maintenance={maintenance} />
      </Card>
      {taskId && <Moves taskId={taskId} isMoving={isMoving} />}
    </div>
  )
}

const titles: Record<Maintenance['state'], string> = {
  evacuating: 'Moving instances',
  incomplete: 'Some instances are left',
  empty: 'The sled is empty',
}

function Status({ sled, maintenance: { state, remaining, since, taskId } }: EvacuationProps) {
  const task = useQuery({
    ...query(taskView, { params: { task: taskId ?? '' } }),
    enabled: taskId !== null,
    throwOnError: false,
    refetchInterval: state === 'evacuating' ? pollMs : false,
  }).data
  const total = task?.totalItems ?? 0
  const done = (task?.succeeded ?? 0) + (task?.skipped ?? 0)
  return (
    <div className="flex flex-col gap-3">
      <p>
        In maintenance since <DateTime date={since} />.{' '}
        {state === 'empty'
          ? 'No instance is on it: you can work on it now. Give it back when you have finished.'
          : `${countOf(remaining, 'instance')} still on it. `}
        {state === 'incomplete' && task?.state === 'canceled' && 'It was stopped half-way. '}
        {state === 'incomplete' && (
          <>
            Where there is a reason, it is below. Make room or change the affinity rules, then try again, or
            stop the <TextLink href={paths.sledTab(sled.id, 'instances')}>instances that are left</TextLink>.
          </>
        )}
      </p>
      {state === 'evacuating' && total > 0 && (
        <div>
          <ProgressBar label="Instances moved" percent={Math.floor((100 * done) / total)} />
          <p className="mt-1.5 text-secondary">
            {done} of {countOf(total, 'instance')} done
            {task && task.failed > 0 && `, ${task.failed} failed`}
          </p>
        </div>
      )}
    </div>
  )
}

function Controls({ sled, maintenance: { state, taskId } }: EvacuationProps) {
  const [isAsking, setAsking] = useState(false)
  const { lacks } = useRole(...roleScope(sledKind, {}))
  const role = roleFor(sledMaintenanceStart)
  const disabledReason = role && lacks(role)
  const plan = useQuery({ ...planQuery(sled.id), enabled: state === 'incomplete' }).data ?? []
  return (
    <>
      {state === 'evacuating' && taskId && (
        <RequestButton
          disabledReason={disabledReason}
          request={requestTo(taskCancel, { params: { task: taskId } })}
          done={() => ({ content: 'No further instance is moved. Moves that have begun will finish.' })}
          errorTitle="Could not stop"
          reload={reloadMaintenance}
        >
          Stop moving
        </RequestButton>
      )}
      {state === 'incomplete' && (
        <Button disabledReason={disabledReason} onClick={() => setAsking(true)}>
          Try again
        </Button>
      )}
      <Button variant="primary" disabledReason={disabledReason} onClick={() => askToGiveBack(sled)}>
        Give back
      </Button>
      {isAsking && (
        <StartMaintenance
          sled={sled}
          isAgain
          stuck={plan.filter(({ to }) => to === null).length}
          onDismiss={() => setAsking(false)}
        />
      )}
    </>
  )
}

function askToGiveBack({ id, baseboard: { serial } }: Sled): void {
  confirmAction({
    modalTitle: 'Give sled back',
    modalContent: (
      <p>
        End the maintenance of sled <Highlight>{serial}</Highlight>? It gets its former provision policy back,
        and no further instance is moved away; moves that have begun will finish. Instances that were moved
        stay where they are.
      </p>
    ),
    errorTitle: 'Could not give sled back',
    actionType: 'primary',
    request: requestTo(sledMaintenanceEnd, { params: { sledId: id } }),
    doAction: async () => {
      await reloadMaintenance()
      showDoneToast('Sled', serial, 'is back in service')
    },
  })
}

type Move = Item<typeof taskItemList>

const results: Record<TaskResult, { tone: BadgeTone; word: string }> = {
  pending: { tone: 'idle', word: 'waiting' },
  running: { tone: 'note', word: 'moving' },
  succeeded: { tone: 'ok', word: 'done' },
  failed: { tone: 'danger', word: 'failed' },
  skipped: { tone: 'idle', word: 'left as it was' },
  canceled: { tone: 'idle', word: 'canceled' },
}

const columns: readonly Column<Move>[] = [
  { id: 'name', header: 'name', cell: ({ name }) => <span className="font-medium">{name}</span> },
  {
    id: 'result',
    header: 'result',
    cell: ({ result }) => (
      <Badge tone={results[result].tone} dot pulsing={result === 'running'}>
        {results[result].word}
      </Badge>
    ),
  },
  {
    id: 'details',
    header: 'details',
    cell: ({ message }) =>
      message ? <span className="block py-2 wrap-anywhere whitespace-normal">{message}</span> : <Dash />,
  },
  {
    id: 'ended',
    header: 'ended',
    cell: ({ timeCompleted }) => (timeCompleted ? <DateTime date={timeCompleted} seconds /> : <Dash />),
  },
]

/** The results of the last maintenance, once the sled was given back; none if the task was deleted since. */
export function LastMoves({ taskId }: { taskId: string }) {
  const { data: task } = useQuery({ ...query(taskView, { params: { task: taskId } }), throwOnError: false })
  if (!task || task.totalItems === 0) return null
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">Last maintenance</h2>
      <p className="text-secondary">
        The instances that were on the sled when it was emptied, <DateTime date={task.timeCreated} />.
      </p>
      <Moves taskId={taskId} isMoving={false} />
    </section>
  )
}

/** The instances that were on the sled when it was last emptied, with the result for each. */
function Moves({ taskId, isMoving }: { taskId: string; isMoving: boolean }) {
  const { data } = useQuery({
    ...everyPage(taskItemList, { params: { task: taskId }, query: {} }),
    throwOnError: false,
    refetchInterval: isMoving ? pollMs : false,
  })
  if (data?.length === 0) return null
  return (
    <Table
      label="Instances"
      columns={columns}
      rows={data ?? []}
      skeletonRows={data ? 0 : 6}
      rowKey={({ id }) => id}
    />
  )
}
