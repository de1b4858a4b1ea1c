/** The actions of schedules of a project, and the tasks of their runs. */
import type { TaskAction } from '../tasks.ts'

export type ScheduleTarget = 'instance' | 'disk'

/** The action of the task of a run, by the kind of what it is done to. */
const tasks = {
  start: { instance: 'start' },
  stop: { instance: 'stop' },
  snapshot: { instance: 'snapshot_together', disk: 'snapshot' },
} as const satisfies Record<string, Partial<Record<ScheduleTarget, TaskAction>>>
export type ScheduleAction = keyof typeof tasks
export const scheduleActions = ['start', 'stop', 'snapshot'] as const satisfies readonly ScheduleAction[]

/** Undefined if the action is not done to resources of the kind. */
export function runAction(action: ScheduleAction, target: ScheduleTarget): TaskAction | undefined {
  const byTarget: Partial<Record<ScheduleTarget, TaskAction>> = tasks[action]
  return byTarget[target]
}
