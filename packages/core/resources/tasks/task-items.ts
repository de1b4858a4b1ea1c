/** The items of tasks, and the request for each of them. */
import type { ApiRequest } from '@purlin/contract/http'
import { operations } from '@purlin/contract/operations'
import type { OpShape } from '@purlin/contract/op'
import { keysOf } from '@purlin/contract/rules/keys'
import { kindOfType, kinds, nounOf } from '@purlin/contract/rules/kinds'
import {
  kindOfStep,
  targetKindOf,
  taskKinds,
  taskOperation,
  type TaskAction,
  type TaskKind,
} from '@purlin/contract/rules/tasks'
import {
  patternProblem,
  snapshotNameBy,
  usualPattern,
  usualWholePattern,
  wholeNameBy,
  wholePatternProblem,
} from '@purlin/contract/rules/snapshot-names'
import { snake } from '@purlin/contract/wire'
import type { BodyOf } from '#/context.ts'
import type { TaskItemTable, TaskTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { checkTagChange } from '../kind/tags.ts'

/** The action of a task, and the kind of its items. */
export interface TaskSpec {
  kind: TaskKind
  action: TaskAction
  /** The group, instance or project that it adds to. */
  groupId: string | null
  namePattern: string | null
  tagsJson: string | null
}
export type Planned = Pick<TaskItemTable, 'itemId' | 'name' | 'inProject' | 'state' | 'code' | 'message'> &
  Partial<Pick<TaskItemTable, 'operation'>> & {
    /** The disks that would be deleted with it, for the digest. */
    diskIds?: readonly string[]
  }

/** The names of what operations make. */
const patterns = {
  snapshotCreate: { usual: usualPattern, problem: patternProblem },
  instanceSnapshotCreate: { usual: usualWholePattern, problem: wholePatternProblem },
}

/** Throws 400 for an action that the kind does not have, and for fields of other actions. */
export function specOf(body: BodyOf<'taskCreate'>): TaskSpec {
  const { kind: type, action, namePattern, tags } = body
  const kind = taskKinds.find((one) => one === kindOfType(type))
  const operation = kind && taskOperation(kind, action)
  if (!kind || operation === undefined)
    throw fault.invalidValue('action', `\`${action}\` is not done to a ${nounOf(type)}`)
  const groupId = targetIn(body)
  const names = operation in patterns ? patterns[operation as keyof typeof patterns] : undefined
  if (namePattern != null && !names) throw fault.invalidValue('name_pattern', 'only for snapshots')
  const problem = namePattern == null ? undefined : names?.problem(namePattern)
  if (problem !== undefined) throw fault.invalidValue('name_pattern', problem)
  if ((action === 'change_tags') !== (tags != null))
    throw fault.invalidValue('tags', 'only for `change_tags`, where it is required')
  if (tags) checkTagChange(tags)
  return {
    kind,
    action,
    groupId,
    namePattern: namePattern ?? names?.usual ?? null,
    tagsJson: tags ? JSON.stringify(tags) : null,
  }
}

/** The id that an action adds to. Throws 400 without it, and for one that the action does not take. */
function targetIn({ action, group, instance, project }: BodyOf<'taskCreate'>): string | null {
  const taken = parameterOf(action)
  const given = { group, instance, project }
  // A missing parameter is named before one that is not taken.
  for (const name of [...(taken ? [taken] : []), ...keysOf(given)])
    if ((name === taken) !== (given[name] != null)) throw fault.invalidValue(name, onlyFor[name])
  return (group ?? instance ?? project)?.toLowerCase() ?? null
}

type TargetParameter = 'group' | 'instance' | 'project'
const onlyFor: Readonly<Record<TargetParameter, string>> = {
  group: 'only for actions that add to a group, where it is required',
  instance: 'only for `attach`, where it is required',
  project: 'only for `demote`, where it is required',
}

/** The parameter with the id that an action adds to. */
export function parameterOf(action: TaskAction): TargetParameter | undefined {
  const kind = targetKindOf(action)
  return kind === 'affinityGroup' || kind === 'antiAffinityGroup' ? 'group' : kind
}

/** The name of the snapshot of a disk. Tasks of earlier versions have no pattern. */
export const snapshotNameFor = (
  { namePattern }: Pick<TaskSpec, 'namePattern'>,
  disk: string,
  at: number,
): string => snapshotNameBy(namePattern ?? usualPattern, { disk, at })

/** The name of the snapshots of instances. */
export const wholeNameFor = ({ namePattern }: Pick<TaskSpec, 'namePattern'>, at: number): string =>
  wholeNameBy(namePattern ?? usualWholePattern, at)

/** Of actions, and of the operations of steps; filled in like paths. */
const queries: Partial<Record<string, string>> = {
  snapshot: '?project={in_project}',
  probeDelete: '?project={in_project}',
  snapshot_together: '?instance={item}',
  demote: '?project={target}',
  move_or_stop: '?or_stop=true',
  force_stop: '?force=true',
  delete_with_boot_disk: '?with_disks=boot',
  delete_with_disks: '?with_disks=all',
  vpcDelete: '?cascade=true',
}

/** The request that a task makes for an item, as the person who made the task. */
export function requestFor(
  task: Pick<TaskTable, 'id' | 'at' | 'remote' | keyof TaskSpec>,
  {
    itemId,
    name,
    inProject,
    operation: step,
  }: Pick<TaskItemTable, 'itemId' | 'name' | 'inProject' | 'operation'>,
  /** The instance that a disk is detached from. */
  holder?: string,
): ApiRequest {
  const kind = step ? kindOfStep(step) : task.kind
  const operation = step ?? taskOperation(task.kind, task.action)
  if (operation === undefined) throw new Error(`no operation of ${kind} is called ${task.action}`)
  const { method, path }: OpShape = operations[operation]
  const target = holder ?? task.groupId ?? ''
  const values: Record<string, string> = {
    [snake(kinds.antiAffinityGroup.field)]: target,
    [snake(kinds.affinityGroup.field)]: target,
    [snake(kinds.instance.field)]: target,
    [snake(kinds[kind].field)]: itemId,
    target,
    item: itemId,
    in_project: inProject ?? '',
  }
  const template = `${path}${queries[step ?? task.action] ?? ''}`
  const url = template.replaceAll(/\{(\w+)\}/g, (_, word: string) => values[word] ?? '')
  const body = bodyFor(task, { operation, itemId, name })
  return {
    method,
    url,
    headers: { 'user-agent': `task ${task.id}` },
    remote: task.remote,
    ...(body === null ? {} : { body }),
  }
}

function bodyFor(
  task: Pick<TaskTable, 'at' | keyof TaskSpec>,
  { operation, itemId, name }: { operation: string; itemId: string; name: string },
): string | null {
  const description = ''
  if (operation === 'snapshotCreate')
    return JSON.stringify({ name: snapshotNameFor(task, name, task.at), description, disk: itemId })
  if (operation === 'instanceSnapshotCreate')
    return JSON.stringify({ name: wholeNameFor(task, task.at), description })
  if (operation === 'instanceDiskAttach' || operation === 'instanceDiskDetach')
    return JSON.stringify({ disk: itemId })
  if (task.action === 'pause' || task.action === 'resume')
    return JSON.stringify({ paused: task.action === 'pause' })
  if (task.action === 'protect' || task.action === 'unprotect')
    return JSON.stringify({ protected: task.action === 'protect' })
  return task.tagsJson
}
