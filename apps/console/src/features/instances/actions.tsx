import {
  instanceReboot,
  instanceStart,
  instanceStop,
  instanceUpdate,
} from '@purlin/contract/operations/instances/instances'
import { paths } from '#/lib/addresses.ts'
import { cloneAction, copyId, deleteAction, whoCanDelete, type Action } from '#/resource/actions/actions.tsx'
import { updateInstance, updateRequest } from '#/features/instance-state/values.ts'
import { editAction } from '#/resource/actions/editAction.tsx'
import { kinds } from '#/resource/kinds.ts'
import { protectionActions } from '#/resource/protection/actions.ts'
import { disabledReason } from './reasons.tsx'
import { TakeDialog } from './snapshots/lazyDialogs.ts'
import {
  moveRequest,
  reloadLists,
  sendMove,
  type Instance,
  type InstanceTarget,
} from '#/features/instance-state/update.ts'
import { lazily } from '#/lib/lazily.tsx'

const ResizeDialog = lazily(() => import('./settings/ResizeDialog.tsx'), 'ResizeDialog')
const { noun } = kinds.instance

/** The actions that move an instance to another state. */
const moves = {
  start: { op: instanceStart, how: {}, label: 'Start', done: 'started', doing: 'Starting', note: undefined },
  stop: {
    op: instanceStop,
    how: {},
    label: 'Stop',
    done: 'stopped',
    doing: 'Stopping',
    note: 'A stopped instance keeps its disks and IP addresses. Its CPU and memory become available to others.',
  },
  force_stop: {
    op: instanceStop,
    how: { force: true },
    label: 'Force stop',
    done: 'powered off',
    doing: 'Powering off',
    note: 'The machine is powered off without waiting for its guest. Data that the guest has not written to its disks is lost.',
  },
  reboot: {
    op: instanceReboot,
    how: {},
    label: 'Reboot',
    done: 'rebooted',
    doing: 'Rebooting',
    note: undefined,
  },
} as const
type Move = keyof typeof moves
const asStateAction = { start: 'start', stop: 'stop', force_stop: 'forceStop', reboot: 'reboot' } as const

/** Starting, stopping or rebooting an instance. `reload` reads again what the screen shows. */
export function moveAction<R extends Instance>(
  move: Move,
  projectOf: (row: R) => string,
  reload: () => Promise<unknown> = reloadLists,
): Action<R> {
  const { op, how, label, done, doing, note } = moves[move]
  const targetOf = (row: R): InstanceTarget => ({ project: projectOf(row), instance: row.name })
  return {
    id: move,
    label,
    role: 'collaborator',
    disabledReason: ({ runState }) => disabledReason(asStateAction[move], runState),
    isForMany: true,
    confirm: {
      noun,
      verb: label.toLowerCase(),
      done,
      doing,
      isDanger: move !== 'start',
      canBeUndone: move === 'start',
      note: () => note,
      errorTitle: ({ name }) => `Error ${doing.toLowerCase()} ${name}`,
      task: { kind: 'instance', action: move },
      request: (row) => moveRequest(op, targetOf(row), how),
      run: (row) => sendMove(op, targetOf(row), how),
      after: reload,
    },
  }
}

export interface InstanceActionsOf {
  reload?: () => Promise<unknown>
  /** Leaves the page of an instance that is deleted. */
  leave?: () => unknown
  /** The toast about another size leads to the instance. */
  isInList?: boolean
  /** Actions only on several instances. */
  forMany?: readonly Action<Instance>[]
}

/** Actions on an instance, from its list and from its page. */
export const instanceActions = (
  project: string,
  { reload, leave, isInList = true, forMany = [] }: InstanceActionsOf = {},
): Action<Instance>[] => [
  copyId(noun),
  moveAction('start', () => project, reload),
  moveAction('stop', () => project, reload),
  moveAction('force_stop', () => project, reload),
  moveAction('reboot', () => project, reload),
  {
    id: 'resize',
    label: 'Resize',
    role: 'collaborator',
    disabledReason: ({ runState }) => disabledReason('resize', runState),
    dialog: ({ id }, close) => (
      <ResizeDialog key={id} id={id} project={project} offerLink={isInList} onDismiss={close} />
    ),
  },
  {
    id: 'snapshot',
    label: 'Snapshot',
    role: 'collaborator',
    dialog: ({ id, name }, close) => (
      <TakeDialog key={id} target={{ project, instance: name }} onDismiss={close} />
    ),
  },
  editAction({
    kind: kinds.instance,
    update: instanceUpdate,
    scope: { project },
    saving: ({ name }) => ({
      save: (changes) => updateInstance({ project, instance: name }, changes),
      request: (changes) => updateRequest({ project, instance: name }, changes),
    }),
  }),
  cloneAction(({ name }) => paths.instanceClone({ project, name })),
  {
    id: 'console',
    label: 'View serial console',
    href: ({ name }) => paths.serialConsole({ project, instance: name }),
  },
  {
    id: 'screen',
    label: 'View screen',
    href: ({ name }) => paths.screen({ project, instance: name }),
  },
  ...forMany,
  whoCanDelete(kinds.instance, project),
  ...protectionActions(kinds.instance),
  deleteAction(kinds.instance, { ...deletionOf(() => project), leave }),
]

/** The deletion of instances: what it does to their networks, and the states that it can be done in. */
export const deletionOf = <R extends Instance>(projectOf: (row: R) => string) => ({
  options: async (rows: readonly R[]) => (await import('./deletionDisks.tsx')).deletionDisks(rows, projectOf),
  note: async (rows: readonly R[]) => (await import('./deletionNote.tsx')).deletionNote(rows, projectOf),
  doing: 'Deleting',
  disabledReason: ({ runState }: R) => disabledReason('delete', runState),
})
