/** Asking before something is done with a resource. */
import { taskActions, type TaskAction, type TaskKind } from '@purlin/contract/rules/tasks'
import type { ReactNode } from 'react'
import { errorMessage } from '#/api/errors.ts'
import { send } from '#/api/send.ts'
import type { Item, ListOp } from '#/api/everyPage.ts'
import { formatSize } from '#/lib/format.ts'
import { capitalize } from '#/lib/text.ts'
import { Highlight } from '#/ui/Highlight.tsx'
import { addToast } from '#/ui/toast.ts'
import { confirmAction } from './confirm.ts'
import { argsOf, reload, type Kind } from './kinds.ts'

/** What is asked about. */
export interface Listed {
  id: string
  name: string
  /** bytes */
  size?: number
}

/** The question, the action and its texts. `verb` is 'delete', `done` is 'deleted'. */
export interface Confirmation<R> {
  noun: string
  verb: string
  done: string
  /** 'Stopping': for an action that only begins. The toast then shows this instead of `done`. */
  doing?: string
  isDanger: boolean
  /** A note about one row or several. May be asynchronous. */
  note?: (rows: readonly R[]) => ReactNode | Promise<ReactNode>
  errorTitle?: (row: R) => string
  /** What must be typed before the action on one row. */
  typeToConfirm?: (row: R) => string
  run: (row: R) => Promise<unknown>
  /** The same for many, by the server. */
  task?: { kind: TaskKind; action: TaskAction } | undefined
  /** Reloads what has changed. Runs before the toast. */
  after: () => Promise<unknown>
}

/** The size of all rows together; undefined if they have none. */
export const sizeOf = (rows: readonly object[]): string | undefined =>
  rows.every((row) => 'size' in row && typeof row.size === 'number')
    ? formatSize(rows.reduce((sum, row) => sum + (row as { size: number }).size, 0))
    : undefined

/** Asks about one row, then does it. */
export async function askOne<R extends object>(of: Confirmation<R>, row: R): Promise<void> {
  const { id, name } = row as unknown as Listed
  const { noun, verb, done, doing, isDanger, typeToConfirm } = of
  const size = sizeOf([row])
  const note = await noteAbout(of, [row])
  confirmAction({
    modalTitle: `${capitalize(verb)} ${noun}`,
    modalContent: (
      <>
        <p>
          Are you sure you want to {verb} <Highlight>{name}</Highlight>
          {size && ` (${size})`}?
        </p>
        {note && <Note>{note}</Note>}
        {verb === 'delete' && <p>This cannot be undone.</p>}
      </>
    ),
    errorTitle: of.errorTitle?.(row) ?? `Could not ${verb} ${noun}`,
    actionType: isDanger ? 'danger' : 'primary',
    ...(typeToConfirm ? { typeToConfirm: typeToConfirm(row) } : {}),
    doAction: async () => {
      await of.run(row)
      await of.after()
      const shown = <Highlight key={id}>{name}</Highlight>
      addToast({
        content: doing ? (
          <>
            {doing} {noun} {shown}
          </>
        ) : (
          <>
            {capitalize(noun)} {shown} {done}
          </>
        ),
      })
    },
  })
}

/** The note, or that it could not be made: the question is asked in any case. */
export async function noteAbout<R>({ note }: Confirmation<R>, rows: readonly R[]): Promise<ReactNode> {
  try {
    return await note?.(rows)
  } catch (error) {
    return `What depends on it could not be looked up: ${errorMessage(error)}`
  }
}

/** The note, below the question. */
export const Note = ({ children }: { children: ReactNode }) =>
  typeof children === 'string' ? <p>{children}</p> : children

/** What is particular to deletions of one kind. */
export type Deletion<R> = Pick<Confirmation<R>, 'note' | 'typeToConfirm' | 'doing'> & {
  /** Runs between the deletion and the reload: leaves the page of the deleted resource. */
  leave?: (() => unknown) | undefined
}

/** The deletion of resources of one kind. */
export const deletion = <L extends ListOp>(
  kind: Kind<L>,
  { leave, ...more }: Deletion<Item<L>>,
): Confirmation<Item<L>> => ({
  noun: kind.noun,
  verb: 'delete',
  done: 'deleted',
  isDanger: true,
  task: kind.name in taskActions ? { kind: kind.name as TaskKind, action: 'delete' } : undefined,
  run: (row) => send(kind.remove, argsOf(kind, kind.remove, { nameOrId: (row as Listed).id })),
  after: async () => {
    await leave?.()
    await reload(kind)
  },
  ...more,
})
