import {
  scheduleRun,
  scheduleUpdate,
  type scheduleList,
} from '@purlin/contract/operations/schedules/schedules'
import { countOf, nounOf } from '@purlin/contract/rules/kinds'
import type { Item } from '#/api/everyPage.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { toActivity } from '#/resource/actions/activity.ts'
import { plainActions, type Action } from '#/resource/actions/actions.tsx'
import { reload } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { addToast } from '#/ui/feedback/toast.ts'

type Row = Item<typeof scheduleList>

const runRequest = ({ id }: Pick<Row, 'id'>) =>
  requestTo(scheduleRun, { params: { schedule: id }, query: {} })

const after = () => reload(kinds.schedule)
const isPaused = ({ timeNextRun }: Row) => timeNextRun == null

const run: Action<Row> = {
  id: 'run',
  label: 'Run now',
  role: 'collaborator',
  command: runRequest,
  onAction: async (row) => {
    const { totalItems, kind } = await sendRequest(runRequest(row))
    addToast({
      content: `Schedule ${row.name} runs: ${countOf(totalItems, nounOf(kind))}`,
      action: toActivity,
    })
    await after()
  },
  isForMany: true,
  confirm: {
    noun: kinds.schedule.noun,
    verb: 'run',
    done: 'begun',
    isDanger: false,
    task: { kind: 'schedule', action: 'run' },
    request: runRequest,
    after,
  },
}

const pauses = [
  { id: 'pause', label: 'Pause', done: 'paused', paused: true },
  { id: 'resume', label: 'Resume', done: 'resumed', paused: false },
] as const

/** Pausing and its inverse. A schedule runs in the name of the person who has resumed it. */
const pausing = pauses.map(({ id, label, done, paused }): Action<Row> => {
  const canBe = (row: Row) => isPaused(row) !== paused
  return {
    id,
    label,
    role: 'collaborator',
    isOffered: canBe,
    disabledReason: (row) => !canBe(row) && `It is ${paused ? 'paused already' : 'not paused'}`,
    isForMany: true,
    isHiddenForNone: true,
    confirm: {
      noun: kinds.schedule.noun,
      verb: id,
      done,
      isDanger: false,
      canBeUndone: true,
      task: { kind: 'schedule', action: id },
      request: ({ id: schedule }) =>
        requestTo(scheduleUpdate, { params: { schedule }, query: {}, body: { paused } }),
      after,
    },
  }
})

/** Actions on a schedule. */
export const scheduleActions = (project: string) =>
  plainActions(kinds.schedule, project, { own: [run, ...pausing] })
