/** Asking before something is done with one resource, or with several at once. */
import { countOf } from '@purlin/contract/rules/kinds'
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
import { settleAll } from './settleAll.ts'

// Requests under way at a time: the others wait, so that a long selection does not delay the page's own requests.
const atOnce = 4
// A deletion of so many is typed. Failures that a toast tells one by one.
const typedFrom = 10
const told = 2

interface Listed {
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
async function noteAbout<R>({ note }: Confirmation<R>, rows: readonly R[]): Promise<ReactNode> {
  try {
    return await note?.(rows)
  } catch (error) {
    return `What depends on it could not be looked up: ${errorMessage(error)}`
  }
}

const Note = ({ children }: { children: ReactNode }) =>
  typeof children === 'string' ? <p>{children}</p> : children

/** Asks about several rows, then runs the action on each row that allows it. The others stay as they are. */
export async function askMany<R extends object>(
  of: Confirmation<R>,
  { rows, others, onDone }: { rows: readonly R[]; others: number; onDone: () => void },
): Promise<void> {
  const { noun, verb, done, doing, isDanger } = of
  const size = sizeOf(rows)
  const note = await noteAbout(of, rows)
  confirmAction({
    modalTitle: `${capitalize(verb)} ${countOf(rows.length, noun)}`,
    modalContent: (
      <>
        <p>
          Are you sure you want to {verb} these{size && `, ${size} in all`}?
        </p>
        <ul className="max-h-40 list-disc overflow-y-auto pl-5 text-ink">
          {(rows as readonly unknown[] as readonly Listed[]).map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
        {others > 0 && (
          <p>
            {countOf(others, noun)} of the selection {others === 1 ? 'is' : 'are'} in another state and{' '}
            {others === 1 ? 'stays' : 'stay'} as {others === 1 ? 'it is' : 'they are'}.
          </p>
        )}
        {note && <Note>{note}</Note>}
      </>
    ),
    errorTitle: `Could not ${verb} the ${noun}s`,
    actionType: isDanger ? 'danger' : 'primary',
    ...(verb === 'delete' && rows.length >= typedFrom ? { typeToConfirm: `delete ${rows.length}` } : {}),
    doAction: async (signal) => {
      if (await asTask(of, rows)) return onDone()
      const { failures, begun } = await settleAll(rows, { width: atOnce, signal }, of.run)
      await of.after()
      const count = begun - failures.length
      if (count > 0)
        addToast({
          content: doing ? `${doing} ${countOf(count, noun)}` : `${countOf(count, noun)} ${done}`,
        })
      showFailures(of, failures)
      if (failures.length === 0) onDone()
    },
  })
}

/** Leaves it to the server; false if it has no tasks. */
async function asTask<R extends object>(of: Confirmation<R>, rows: readonly R[]): Promise<boolean> {
  if (!of.task) return false
  const { beginTask, followTask } = await import('./runTask.ts')
  const ids = rows.map((row) => (row as unknown as Listed).id)
  const task = await beginTask(of.task.kind, of.task.action, ids)
  // Without a connection the end is not told; the activity has it.
  if (task) void followTask(task, of).catch(() => undefined)
  return task !== undefined
}

/** Says which rows failed and why: '2 disks could not be deleted'. */
function showFailures<R>(
  { noun, done }: Confirmation<R>,
  failures: readonly { item: unknown; error: unknown }[],
): void {
  if (failures.length === 0) return
  addToast({
    variant: 'error',
    title: `${countOf(failures.length, noun)} could not be ${done}`,
    content: (
      <ul>
        {(failures as readonly { item: Listed; error: unknown }[]).slice(0, told).map(({ item, error }) => (
          <li key={item.id}>
            {item.name}: {errorMessage(error)}
          </li>
        ))}
        {failures.length > told && <li>and {failures.length - told} more</li>}
      </ul>
    ),
  })
}

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
