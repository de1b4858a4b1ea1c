/** Begins the tasks of schedules of projects. */
import type { ApiResponse } from '@purlin/contract/http'
import type { ScheduleAction } from '@purlin/contract/rules/time/schedules'
import { actorsOf } from '#/auth/people.ts'
import type { Tx } from '#/db/tables.ts'
import { isRunUnderWay } from '#/resources/schedules/runs.ts'
import { nextRun } from '#/resources/schedules/schedules.ts'
import { fault } from '#/faults.ts'
import {
  goneUser,
  claimedRow,
  isAway,
  messageOf,
  record,
  setAgain,
  type Failed,
  type Run,
  type RunKind,
} from './claims.ts'

/** The pause while the task of another run in the project is under way, and until there is room for one more task. */
const busyMs = 5_000
const roomMs = 60_000

export const ofProjects: RunKind<'schedule'> = {
  table: 'schedule',
  // A task of many instances takes a while to plan.
  leaseMs: 60_000,
  next: nextRun,
  run: beginTask,
}

async function beginTask(run: Run<'schedule'>): Promise<'ended' | 'away'> {
  const { world, row, askAs } = run
  const now = world.clock.now()
  const { person, isActive, isBusy } = await world.engine.transaction('read', async (tx) => ({
    person: (await actorsOf({ tx, now }, [row.userId]))[0],
    isActive: await isActiveUser(tx, row.userId),
    isBusy: await isRunUnderWay(tx, row),
  }))
  if (!person) return record(run, ofProjects, { reason: `${goneUser}. ${setAgain}` })
  if (!isActive) {
    const reason = `${person.actor.displayName}, who has set it, may not sign in any more. ${setAgain}`
    return record(run, ofProjects, { reason })
  }
  if (isBusy) return later(run, busyMs)
  const request = {
    method: 'POST',
    url: `/v1/schedules/${row.id}/run`,
    headers: { host: 'purlin', 'user-agent': `schedule ${row.id}` },
  }
  const answer = await askAs(person.actor, request, { before: (tx) => checkClaim(tx, row) })
  if (answer.status < 400) return 'ended'
  if (isAway(answer)) return 'away'
  // The schedule has changed since then: it runs as it is now.
  if (answer.status === 409) return later(run, 0)
  // The user has too many tasks, as many schedules may be due at the same moment.
  if (answer.status === 429) return later(run, roomMs)
  return record(run, ofProjects, failureIn(answer, { name: person.actor.displayName, action: row.action }))
}

/** Throws 409 if the run is not this server's any more: it has stalled, and another one has taken the run over. */
async function checkClaim(tx: Tx, { id, leaseUntil }: Run<'schedule'>['row']): Promise<void> {
  const row = await tx.selectFrom('schedule').select('leaseUntil').where('id', '=', id).executeTakeFirst()
  if (row?.leaseUntil !== leaseUntil)
    throw fault.conflict('the schedule has changed, or another server has run it')
}

/** Looks again at a run that cannot begin now, which is no failure. */
async function later({ world, row }: Run<'schedule'>, ms: number): Promise<'ended'> {
  const leaseUntil = world.clock.now() + ms
  await world.engine.transaction('write', (tx) =>
    claimedRow(tx, ofProjects.table, row).set({ leaseUntil }).execute(),
  )
  return 'ended'
}

/** Deactivated users and disabled service accounts keep their roles. */
async function isActiveUser(tx: Tx, id: string): Promise<boolean> {
  const user = await tx
    .selectFrom('siloUser')
    .select('timeDeactivated')
    .where('id', '=', id)
    .executeTakeFirst()
  return user?.timeDeactivated == null
}

const doing = {
  start: 'start instances',
  stop: 'stop instances',
  snapshot: 'take snapshots',
} as const satisfies Record<ScheduleAction, string>

function failureIn(answer: ApiResponse, { name, action }: { name: string; action: ScheduleAction }): Failed {
  if (answer.status === 403 || answer.status === 404)
    return { reason: `${name} may not ${doing[action]} in this project any more. ${setAgain}` }
  return { reason: messageOf(answer), mayPass: answer.status !== 400 }
}
