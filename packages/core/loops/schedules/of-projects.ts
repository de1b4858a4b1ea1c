/** Begins the tasks of schedules of projects. */
import type { ApiResponse } from '@purlin/contract/http'
import { actorsOf } from '#/auth/people.ts'
import { nextRun } from '#/resources/schedules/schedules.ts'
import {
  goneUser,
  isAway,
  messageOf,
  record,
  setAgain,
  type Failed,
  type Run,
  type RunKind,
} from './claims.ts'

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
  const [person] = await world.engine.transaction('read', (tx) => actorsOf({ tx, now }, [row.userId]))
  if (!person) return record(run, ofProjects, { reason: `${goneUser}. ${setAgain}` })
  const answer = await askAs(person.actor, {
    method: 'POST',
    url: `/v1/schedules/${row.id}/run`,
    headers: { host: 'purlin', 'user-agent': `schedule ${row.id}` },
  })
  if (answer.status < 400) return 'ended'
  if (isAway(answer)) return 'away'
  return record(run, ofProjects, failureIn(answer, { name: person.actor.displayName, action: row.action }))
}

function failureIn(answer: ApiResponse, { name, action }: { name: string; action: string }): Failed {
  if (answer.status === 403 || answer.status === 404)
    return { reason: `${name} may not ${action} instances in this project any more. ${setAgain}` }
  return { reason: messageOf(answer), mayPass: answer.status !== 400 }
}
