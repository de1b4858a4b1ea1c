/** The dialogs before an action on a resource. */
import { isOneOf } from '@purlin/contract/rules/keys'
import { taskKinds, taskOperation } from '@purlin/contract/rules/tasks'
import type { ReactNode } from 'react'
import { requestTo, sendRequest, type ApiRequest, type Requests } from '#/api/request.ts'
import type { Item } from '#/api/everyPage.ts'
import { holdingReads } from '#/live/heldReads.ts'
import type { TaskType } from './runTask.ts'
import { argsOf, nameOrId, reload, type DeletableKind, type KindList } from '../kind.ts'

/** The question, the action and its texts. `verb` is 'delete', `done` is 'deleted'. */
export type Confirmation<R> = ConfirmationParts<R> & Shown<R>

/** An action without a question has a request that its menu shows. */
type Shown<R> =
  | {
      canBeUndone?: false
      /** The requests of `run` that depend on the present state. */
      command?: (row: R) => Promise<Requests>
    }
  | {
      /** Another action takes it back: it is done without a question, unless some of several rows would be left. */
      canBeUndone: boolean
      request: (row: R) => ApiRequest
      command?: never
    }

/** Why something cannot be done, and what can be done instead. */
export interface Refusal {
  reason: ReactNode
  /** Deletes it with all that is in the way. */
  all?: {
    note: ReactNode
    /** The text to type before. */
    typeToConfirm: string
    request: ApiRequest
    /** Sends the request unless given. */
    run?: () => Promise<unknown>
  }
}

/** Choices in the dialog that change the act. */
export interface Options<R> {
  content: ReactNode
  /** The request for one row, as chosen at that moment. */
  request: (row: R) => ApiRequest
  /** The task for many, as chosen at that moment. */
  task: () => TaskType
  /** All tasks that can be chosen. */
  tasks: readonly TaskType[]
}

interface ConfirmationParts<R> {
  noun: string
  /** How the question calls a row: by its name unless given. */
  labelOf?(row: R): string
  verb: string
  done: string
  /** 'Stopping': for an action that only begins. The toast then shows this instead of `done`. */
  doing?: string
  isDanger: boolean
  /** A note about one row or several. May be asynchronous. */
  note?: (rows: readonly R[]) => ReactNode | Promise<ReactNode>
  /** Choices about the given rows; about all that a list matches without rows. */
  options?: ((rows: readonly R[]) => Promise<Options<R>>) | undefined
  /** Why the server would refuse it for one row, and what to do first. A failure is ignored: the server then decides. */
  refusal?: (row: R) => Promise<Refusal | undefined>
  errorTitle?: (row: R) => string
  /** The text to type before the action on one row. */
  typeToConfirm?: (row: R) => string
  /** The request for one row, which is shown as a command as well. */
  request?: (row: R) => ApiRequest
  /** Does it for one row: sends the request unless given. `chosen` is the request by the options of the dialog. */
  run?: (row: R, chosen?: ApiRequest) => Promise<unknown>
  /** The same for many, by the server. */
  task?: TaskType | undefined
  /** Rows do not say which of them allow it: the server says so before it is done to several. */
  isPlanned?: true
  /** Takes it back for one of many: 'attached again'. */
  inverse?: { run: (row: R) => Promise<unknown>; undone: string }
  /** Reloads what has changed. Runs before the toast. */
  after: () => Promise<unknown>
}

/** Does what was confirmed with one row, as chosen. */
export async function carryOut<R>(
  { run, request }: Confirmation<R>,
  row: R,
  options?: Options<R>,
): Promise<unknown> {
  const chosen = options?.request(row)
  if (run) return run(row, chosen)
  if (!request) throw new Error('a confirmed action has nothing to do')
  return sendRequest(chosen ?? request(row))
}

/** How a question calls a row. */
export const labelIn = <R extends object>(of: Confirmation<R>, row: R): string =>
  of.labelOf?.(row) ?? nameOrId(row)

/** The id of a row of a list. */
export const idOf = (row: object): string => ('id' in row ? String(row.id) : '')

/** The texts of deletions of one kind. */
export type Deletion<R> = Pick<
  Confirmation<R>,
  'note' | 'options' | 'refusal' | 'typeToConfirm' | 'doing' | 'request'
> & {
  /** Runs between the deletion and the reload: leaves the page of the deleted resource. */
  leave?: (() => unknown) | undefined
}

/** The deletion of resources of one kind. */
export const deletion = <L extends KindList>(
  kind: DeletableKind<L>,
  {
    leave,
    request = (row) => requestTo(kind.remove, argsOf(kind, kind.remove, { nameOrId: row.id })),
    ...more
  }: Deletion<Item<L>>,
): Confirmation<Item<L>> => {
  const remove = (row: Item<L>, chosen?: ApiRequest) => sendRequest(chosen ?? request(row))
  return {
    noun: kind.noun,
    labelOf: (row) => kind.labelOf(row),
    verb: 'delete',
    done: 'deleted',
    isDanger: true,
    task:
      isOneOf(taskKinds, kind.name) && taskOperation(kind.name, 'delete')
        ? { kind: kind.name, action: 'delete' }
        : undefined,
    request,
    // The page of what is deleted reads nothing of it again until it is left.
    run: (row, chosen) => (leave ? holdingReads(() => remove(row, chosen)) : remove(row, chosen)),
    after: async () => {
      if (leave) await holdingReads(async () => leave())
      await reload(kind)
    },
    ...more,
  }
}
