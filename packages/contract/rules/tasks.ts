/** What tasks do to many resources at once. Server and console read this one table. */
import type { KindName } from './kinds.ts'
import {
  diskAnswer,
  instanceAnswer,
  snapshotAnswer,
  type DiskState,
  type InstanceState,
  type SnapshotState,
} from './states.ts'

/** By kind and action: the operation that is run for each item. Its permission, checks and texts are those of the task. */
export const taskActions = {
  instance: {
    start: 'instanceStart',
    stop: 'instanceStop',
    reboot: 'instanceReboot',
    delete: 'instanceDelete',
    add_to_group: 'antiAffinityGroupMemberInstanceAdd',
  },
  disk: { snapshot: 'snapshotCreate', delete: 'diskDelete' },
  snapshot: { delete: 'snapshotDelete' },
  image: { delete: 'imageDelete' },
  floatingIp: { delete: 'floatingIpDelete' },
} as const satisfies Partial<Record<KindName, Record<string, string>>>

export type TaskKind = keyof typeof taskActions
type ActionsOf<K> = K extends TaskKind ? keyof (typeof taskActions)[K] : never
export type TaskAction = ActionsOf<TaskKind>
export const taskKinds = Object.keys(taskActions) as TaskKind[]
export const taskActionNames = [
  ...new Set(Object.values(taskActions).flatMap((actions) => Object.keys(actions))),
] as TaskAction[]

/** The operation of an action on a kind; undefined if there is no such action. */
export const taskOperation = (kind: TaskKind, action: TaskAction): string | undefined =>
  (taskActions[kind] as Partial<Record<TaskAction, string>>)[action]

export const taskStates = ['waiting', 'running', 'completed', 'canceled', 'failed'] as const

export const taskResults = ['pending', 'succeeded', 'failed', 'skipped', 'canceled'] as const
export type TaskResult = (typeof taskResults)[number]

/** What of an item decides whether an action is begun. */
interface ItemState {
  state?: string
  instanceId?: string | null
}
const instanceActions = {
  start: 'start',
  stop: 'stop',
  reboot: 'reboot',
  delete: 'delete',
  add_to_group: 'addToAffinityGroup',
} as const

function isRefused(kind: TaskKind, action: TaskAction, state: string): boolean {
  if (kind === 'instance' && action !== 'snapshot')
    return instanceAnswer(instanceActions[action], state as InstanceState) !== 'act'
  if (kind === 'disk' && (action === 'snapshot' || action === 'delete'))
    return diskAnswer(action, state as DiskState) !== 'act'
  return kind === 'snapshot' && snapshotAnswer('delete', state as SnapshotState) !== 'act'
}

/** Why an item in its present state is left as it is, or undefined. */
export function skipReason(
  kind: TaskKind,
  action: TaskAction,
  { state, instanceId }: ItemState,
): string | undefined {
  if (kind === 'floatingIp') return instanceId == null ? undefined : 'attached to an instance'
  return state !== undefined && isRefused(kind, action, state) ? state.replaceAll('_', ' ') : undefined
}
