/** The actions of tasks on many resources. Server and console read this table. */
import { countOf, kinds, kindsWith, nounOf, type ChildOf, type KindWith } from './kinds.ts'
import {
  diskAnswer,
  instanceAnswer,
  snapshotAnswer,
  type InstanceAction,
  instanceStates,
  diskStates,
  snapshotStates,
} from './states.ts'
import { keysOf, isOneOf } from './keys.ts'
import type { Tags } from './tags.ts'

export type TaskKind = KindWith<'tasks'>
type ActionsOf<K> = K extends TaskKind ? keyof (typeof kinds)[K]['tasks'] : never
export type TaskAction = ActionsOf<TaskKind>
type OperationsOf<K> = K extends TaskKind
  ? (typeof kinds)[K]['tasks'][keyof (typeof kinds)[K]['tasks']]
  : never
type TaskOperation = OperationsOf<TaskKind>
export const taskKinds = kindsWith('tasks')
/** As in messages: `floating-ip`. */
export const taskTypes = taskKinds.map((kind) => kinds[kind].type)
export const taskActionNames = [
  ...new Set(taskKinds.flatMap((kind): TaskAction[] => keysOf(kinds[kind].tasks))),
]

/** `stop 30 instances`. */
export function taskWords({
  kind,
  action,
  totalItems,
}: {
  kind: string
  action: string
  totalItems: number
}): string {
  const items = countOf(totalItems, nounOf(kind))
  switch (action as TaskAction) {
    case 'add_to_group':
      return `add ${items} to an anti-affinity group`
    case 'add_to_affinity_group':
      return `add ${items} to an affinity group`
    case 'move':
    case 'move_or_stop':
      return `move ${items} to other sleds`
    case 'change_tags':
      return `change tags of ${items}`
    case 'unprotect':
      return `remove protection of ${items}`
    case 'delete_all':
      return 'delete a project with all of its contents'
    case 'snapshot':
    case 'snapshot_together':
      return `make snapshots of ${items}`
    default:
      return `${action.replaceAll('_', ' ')} ${items}`
  }
}

/** The operation of an action on a kind; undefined if there is no such action. */
export function taskOperation(kind: TaskKind, action: TaskAction): TaskOperation | undefined {
  const operations: Partial<Record<TaskAction, TaskOperation>> = kinds[kind].tasks
  return operations[action]
}

/** Tags that an action sets, and the keys of those that it removes. */
export interface TaskTags {
  set?: Tags | null | undefined
  remove?: string[] | null | undefined
}

const targetKinds = {
  add_to_group: 'antiAffinityGroup',
  add_to_affinity_group: 'affinityGroup',
  attach: 'instance',
  demote: 'project',
} as const satisfies Partial<Record<TaskAction, string>>
export type TargetKind = (typeof targetKinds)[keyof typeof targetKinds]
/** The kind of what an action adds its items to; undefined for those that add to nothing. */
export const targetKindOf = (action: TaskAction): TargetKind | undefined =>
  (targetKinds as Partial<Record<TaskAction, TargetKind>>)[action]

/**
 * Actions that go on after their operation has been answered: their items are running until what it began has ended. They
 * are of the fleet: operators see them and their items in all silos.
 */
export const longActions: readonly TaskAction[] = ['move', 'move_or_stop']

export const taskStates = ['waiting', 'running', 'completed', 'canceled', 'failed'] as const

export const taskResults = ['pending', 'running', 'succeeded', 'failed', 'skipped', 'canceled'] as const
export type TaskResult = (typeof taskResults)[number]

/** The attached disks that a deletion of an instance can delete too. */
export const instanceDiskChoices = ['boot', 'all'] as const
export type InstanceDiskChoice = (typeof instanceDiskChoices)[number]
const diskChoices: Partial<Record<TaskAction, InstanceDiskChoice>> = {
  delete_with_boot_disk: 'boot',
  delete_with_disks: 'all',
}
/** The disks that an action deletes with each instance; undefined for all other actions. */
export const disksDeletedBy = (action: TaskAction): InstanceDiskChoice | undefined => diskChoices[action]

/** True if a disk is the boot disk of an instance, and was created by the request that created the instance. */
export const isOwnBootDisk = (
  instance: { bootDiskId?: string | null | undefined; timeCreated: Date | number },
  disk: { id: string; timeCreated: Date | number },
): boolean => instance.bootDiskId === disk.id && Number(instance.timeCreated) === Number(disk.timeCreated)

/** The field of an item that decides whether the action starts. */
interface ItemState {
  state?: string | undefined
  instanceId?: string | null
  /** Of the instance that it is attached to, or is to be attached to. */
  instanceState?: string | undefined
  isProtected?: boolean
  /** Of a schedule. */
  isPaused?: boolean
  /** One of the disks that would be deleted with it is protected. */
  hasProtectedDisk?: boolean
  /** Its instance boots from it. */
  isBootDisk?: boolean
  /** No project owns it. */
  isOfSilo?: boolean
}
const instanceActions = {
  start: 'start',
  stop: 'stop',
  force_stop: 'forceStop',
  reboot: 'reboot',
  delete: 'delete',
  delete_with_boot_disk: 'delete',
  delete_with_disks: 'delete',
  move: 'move',
  move_or_stop: 'move',
  add_to_group: 'addToAffinityGroup',
  add_to_affinity_group: 'addToAffinityGroup',
} as const satisfies Partial<Record<TaskAction, InstanceAction>>
const isOfInstance = (action: TaskAction): action is keyof typeof instanceActions => action in instanceActions

const refuses = (state: string, action: InstanceAction): boolean =>
  !(isOneOf(instanceStates, state) && instanceAnswer(action, state) === 'act')

/** True if nothing is to be moved. An item in another state waits until it can be. */
const isUnmoved = (state: string): boolean =>
  isOneOf(instanceStates, state) && instanceAnswer('move', state) === 'unchanged'

function isRefused(kind: TaskKind, action: TaskAction, state: string): boolean {
  if (kind === 'instance' && longActions.includes(action)) return isUnmoved(state)
  if (kind === 'instance') return isOfInstance(action) && refuses(state, instanceActions[action])
  if (kind === 'disk' && (action === 'snapshot' || action === 'delete'))
    return !(isOneOf(diskStates, state) && diskAnswer(action, state) === 'act')
  return kind === 'snapshot' && !(isOneOf(snapshotStates, state) && snapshotAnswer('delete', state) === 'act')
}

const words = (state: string) => state.replaceAll('_', ' ')

const isDeletion = (action: TaskAction) => action === 'delete' || disksDeletedBy(action) !== undefined

/** Why an item in its present state is left as it is, or undefined. */
export function skipReason(kind: TaskKind, action: TaskAction, item: ItemState): string | undefined {
  const { state, instanceId, isProtected, hasProtectedDisk, isPaused } = item
  if (action === 'change_tags') return undefined
  if (action === 'protect') return isProtected ? 'protected already' : undefined
  if (action === 'unprotect') return isProtected ? undefined : 'not protected'
  if (action === 'pause') return isPaused ? 'paused already' : undefined
  if (action === 'resume') return isPaused ? undefined : 'not paused'
  if (isDeletion(action) && isProtected) return 'protected from deletion'
  if (hasProtectedDisk) return 'with a disk that is protected from deletion'
  if (action === 'detach') return reasonToStay(kind, item)
  if (action === 'attach') return reasonNotToAttach(item)
  if (action === 'promote') return item.isOfSilo ? 'an image of the silo already' : undefined
  if (action === 'demote') return item.isOfSilo ? undefined : 'an image of a project already'
  if (kind !== 'floatingIp')
    return state !== undefined && isRefused(kind, action, state) ? words(state) : undefined
  return instanceId == null ? undefined : 'attached to an instance'
}

/** Why a disk or a floating IP stays with its instance, or undefined. */
function reasonToStay(
  kind: TaskKind,
  { instanceId, instanceState, isBootDisk }: ItemState,
): string | undefined {
  if (instanceId == null) return 'not attached'
  const needed = kind === 'disk' ? 'detachDisk' : 'changeExternalIps'
  if (instanceState !== undefined && refuses(instanceState, needed))
    return `attached to an instance that is ${words(instanceState)}`
  return isBootDisk ? 'the boot disk of its instance' : undefined
}

/** Why a disk is not attached to an instance, or undefined. */
function reasonNotToAttach({ state, instanceId, instanceState }: ItemState): string | undefined {
  if (instanceId != null) return 'attached to another instance'
  if (state !== undefined && !(isOneOf(diskStates, state) && diskAnswer('attach', state) === 'act'))
    return words(state)
  return instanceState !== undefined && refuses(instanceState, 'attachDisk')
    ? `for an instance that is ${words(instanceState)}`
    : undefined
}

/** How the contents of a project are deleted, in an order in which nothing prevents the next step. */
const removals = {
  instance: 'instanceDelete',
  probe: 'probeDelete',
  schedule: 'scheduleDelete',
  userDataTemplate: 'userDataTemplateDelete',
  affinityGroup: 'affinityGroupDelete',
  antiAffinityGroup: 'antiAffinityGroupDelete',
  disk: 'diskDelete',
  imageImport: 'imageImportDelete',
  snapshot: 'snapshotDelete',
  image: 'imageDelete',
  floatingIp: 'floatingIpDelete',
  vpc: 'vpcDelete',
} as const satisfies Record<ChildOf<'project'>, string>

/** The kinds of contents, in the order in which they are deleted. */
export const contentKinds = keysOf(removals)
export const removalOf = (kind: ChildOf<'project'>): StepOperation => removals[kind]

export type StepOperation =
  | 'instanceStop'
  | 'projectDelete'
  | 'instanceSnapshotDelete'
  | (typeof removals)[keyof typeof removals]

/** The kind of the resource that a step is about. */
export function kindOfStep(operation: StepOperation): ChildOf<'project'> | 'project' | 'instanceSnapshot' {
  if (operation === 'instanceStop') return 'instance'
  if (operation === 'instanceSnapshotDelete') return 'instanceSnapshot'
  return contentKinds.find((kind) => removals[kind] === operation) ?? 'project'
}
