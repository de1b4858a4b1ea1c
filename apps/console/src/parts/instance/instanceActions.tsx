/** What can be done with an instance, for the rows of a list and for its page. */
import { antiAffinityGroupMemberList } from '@purlin/contract/operations/affinity'
import { diskList } from '@purlin/contract/operations/disks'
import { floatingIpList } from '@purlin/contract/operations/networks'
import {
  instanceDelete,
  instanceList,
  instanceReboot,
  instanceStart,
  instanceStop,
  instanceView,
} from '@purlin/contract/operations/instances'
import type { ReactNode } from 'react'
import { invalidate, remember } from '../../api.ts'
import { send } from '../../send.ts'
import { paths } from '../../paths.ts'
import { Highlight } from '../../ui/Highlight.tsx'
import type { MenuAction, MenuItem } from '../../ui/menuItems.ts'
import { addToast } from '../../ui/toast.ts'
import { confirmAction } from '../confirm.ts'
import { copyWithToast } from '../copy.ts'
import { refusal } from './reasons.tsx'
import { argsOf, type Instance } from './update.ts'

/** The actions that move an instance to another state. */
export type Move = 'start' | 'stop' | 'reboot'

interface MoveWords {
  op: typeof instanceStart | typeof instanceStop | typeof instanceReboot
  label: string
  verb: string
  /** 'Starting instance web' */
  doing: string
  /** What else the person should know first. */
  more?: string
  kind: 'primary' | 'danger'
}
/** One row for each action; its dialog, toast and menu entry are made from it. */
export const moves: Record<Move, MoveWords> = {
  start: { op: instanceStart, label: 'Start', verb: 'start', doing: 'Starting', kind: 'primary' },
  stop: {
    op: instanceStop,
    label: 'Stop',
    verb: 'stop',
    doing: 'Stopping',
    more: 'A stopped instance keeps its disks and IP addresses. Its CPU and memory are free for others meanwhile.',
    kind: 'danger',
  },
  reboot: { op: instanceReboot, label: 'Reboot', verb: 'reboot', doing: 'Rebooting', kind: 'danger' },
}
export const deleteNote = 'Attached disks are detached, not deleted.'

/** Sends a move by name, and lets every screen that shows the instance know its new state. */
export async function sendMove(move: Move, project: string, name: string): Promise<void> {
  const target = argsOf({ project, instance: name })
  const changed = await send(moves[move].op, target)
  remember(instanceView, target, changed)
}
export const sendDelete = (project: string, name: string): Promise<void> =>
  send(instanceDelete, argsOf({ project, instance: name }))

/** What hangs on the list of instances being another: attached disks are free once theirs is gone. */
export const afterDelete = () =>
  invalidate(instanceList, diskList, floatingIpList, antiAffinityGroupMemberList)

export interface ActionsOf {
  project: string
  /** Why the person may change nothing here, whatever the state. */
  refused: string | undefined
  /** Reads again what the screen shows. */
  changed: () => unknown
  /** The instance is gone. */
  deleted: () => unknown
  resize: (instance: Instance) => void
}

/** Every action on an instance by name, each a menu entry. */
export type InstanceActions = Record<Move | 'resize' | 'delete', MenuAction> &
  Record<'copyId' | 'console', MenuItem>

function moveAction(move: Move, { name, runState }: Instance, of: ActionsOf): MenuAction {
  const { label, verb, doing, more, kind } = moves[move]
  return {
    label,
    disabledReason: of.refused ?? refusal(move, runState),
    onAction: () =>
      confirmAction({
        modalTitle: `${label} instance`,
        modalContent: question(verb, name, more),
        errorTitle: `Error ${doing.toLowerCase()} ${name}`,
        actionType: kind,
        doAction: async () => {
          await sendMove(move, of.project, name)
          await of.changed()
          addToast({
            content: (
              <>
                {doing} instance <Highlight>{name}</Highlight>
              </>
            ),
          })
        },
      }),
  }
}

const question = (verb: string, name: string, more?: string): ReactNode => (
  <>
    <p>
      Are you sure you want to {verb} <Highlight>{name}</Highlight>?
    </p>
    {more && <p>{more}</p>}
  </>
)

/** The actions on one instance, as they stand in its state. */
export const instanceActions = (instance: Instance, of: ActionsOf): InstanceActions => {
  const { id, name, runState } = instance
  const { project } = of
  return {
    copyId: { label: 'Copy ID', onAction: () => void copyWithToast(id, 'Instance ID') },
    start: moveAction('start', instance, of),
    stop: moveAction('stop', instance, of),
    reboot: moveAction('reboot', instance, of),
    resize: {
      label: 'Resize',
      disabledReason: of.refused ?? refusal('resize', runState),
      onAction: () => of.resize(instance),
    },
    console: { label: 'View serial console', href: paths.serialConsole({ project, instance: name }) },
    delete: {
      label: 'Delete',
      danger: true,
      disabledReason: of.refused ?? refusal('delete', runState),
      onAction: () =>
        confirmAction({
          modalTitle: 'Delete instance',
          modalContent: question('delete', name, deleteNote),
          errorTitle: 'Could not delete instance',
          actionType: 'danger',
          doAction: async () => {
            await sendDelete(project, name)
            await of.deleted()
            addToast({
              content: (
                <>
                  Deleting instance <Highlight>{name}</Highlight>
                </>
              ),
            })
          },
        }),
    },
  }
}
