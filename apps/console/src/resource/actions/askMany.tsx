/** Asking before something is done with many resources: those that are chosen, or all that a list matches. */
import { taskPreview } from '@purlin/contract/operations/tasks/tasks'
import { countOf, kinds } from '@purlin/contract/rules/kinds'
import { errorMessage, ExplainedError } from '#/api/errors.ts'
import type { Requests } from '#/api/request.ts'
import { sendIfThere } from '#/api/send.ts'
import { capitalize } from '#/lib/text.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { ShortList } from '#/ui/value/ShortList.tsx'
import { confirmAction } from './confirm.ts'
import { Note, noteAbout, sizeOf } from './askOne.tsx'
import { toastFailure } from './toasts.tsx'
import { carryOut, idOf, labelIn, type Confirmation } from './confirmation.tsx'
import { beginTask, followTask, taskRequest, type TaskOf, type TaskType } from './runTask.ts'
import { settleAll } from './settleAll.ts'
import { undoOf } from './undoTask.ts'
import { leftIn, SkippedReasons, someOf, TaskPlan, type TaskPreview } from './TaskPlan.tsx'

// Requests under way at a time: the others wait, so that a long selection does not delay the page's own requests.
const atOnce = 4
// The user types this number to confirm its deletion. At most this many failures get their own line in a toast.
const typedFrom = 10
const maxFailures = 2

/**
 * Asks, then begins a task. A toast reports if the result cannot be followed. `rows` are those of the ids: without any to be
 * left, what can be taken back is not asked about.
 */
export async function askAll<R extends object>(
  of: Confirmation<R>,
  { whole, rows = [], onDone }: { whole: TaskOf; rows?: readonly R[]; onDone: () => void },
): Promise<void> {
  const { noun, verb, task, isDanger } = of
  if (!task) return
  const options = await of.options?.([])
  const previewOf = ({ kind, action }: TaskType) =>
    sendIfThere(taskPreview, { body: { kind: kinds[kind].type, action, ...whole } })
  const failed = (error: unknown): null => {
    toastFailure(`Could not ${verb} the ${noun}s`, error)
    return null
  }
  const preview = await previewOf(task).catch(failed)
  // A server without tasks does one after the other.
  if (preview === undefined && rows.length > 0) return askMany(of, { rows, left: [], onDone })
  if (!preview) return
  const isOfRows = 'ids' in whole
  const { totalItems } = preview
  const others = (options?.tasks ?? []).map(async (one) => [one.action, await previewOf(one)] as const)
  const previews = new Map(await Promise.all(others).catch(() => []))
  const chosen = () => {
    const type = options?.task() ?? task
    const { digest } = previews.get(type.action) ?? preview
    return { type, begun: { ...whole, digest } }
  }
  const done = totalItems - leftIn(preview)
  if (done === 0)
    return void failed(
      new ExplainedError(
        isOfRows
          ? `None of them can be ${of.done}: ${preview.skipped.map(({ message }) => message).join('; ')}.`
          : `None of the ${countOf(totalItems, noun)} that match can be ${of.done}.`,
      ),
    )
  const act = async () => {
    const begun = await beginTask(chosen().type, chosen().begun)
    // Without a connection the end is not reported; the activity panel has it.
    if (begun) void followTask(begun, of, inverseOf(of, rows)).catch(() => undefined)
    onDone()
  }
  if (isOfRows && of.canBeUndone && done === totalItems) return void act().catch(failed)
  confirmAction({
    modalTitle: `${capitalize(verb)} ${countOf(done, noun)}`,
    modalContent: (
      <>
        <p>
          Are you sure you want to {verb}{' '}
          {isOfRows ? 'these' : `all ${done.toLocaleString()} of those that match`}?
        </p>
        <TaskPlan {...preview} />
        {options?.content}
        {verb === 'delete' && <p>This cannot be undone.</p>}
      </>
    ),
    errorTitle: `Could not ${verb} the ${noun}s`,
    actionType: isDanger ? 'danger' : 'primary',
    ...(verb === 'delete' && done >= typedFrom ? { typeToConfirm: `delete ${done}` } : {}),
    command: () => Promise.resolve([taskRequest(chosen().type, chosen().begun)]),
    doAction: act,
  })
}

/** Takes a task back: for the rows that it was done to. */
function inverseOf<R extends object>({ inverse, noun }: Confirmation<R>, rows: readonly R[]) {
  if (!inverse || rows.length === 0) return undefined
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  const run = async (id: string) => {
    const row = byId.get(id)
    if (row) await inverse.run(row)
  }
  return undoOf({ noun, undone: inverse.undone, run })
}

/** Why rows would be left as they are; nothing if the server does not say. */
async function reasonsFor<R extends object>(
  { task }: Confirmation<R>,
  rows: readonly R[],
): Promise<TaskPreview['skipped']> {
  if (!task || rows.length === 0) return []
  const ids = rows.map(idOf)
  const body = { kind: kinds[task.kind].type, action: task.action, ids }
  const preview = await sendIfThere(taskPreview, { body }).catch(() => undefined)
  return preview?.skipped ?? []
}

/** Asks about several rows, then runs the action on each row that allows it. The others stay as they are. */
export async function askMany<R extends object>(
  of: Confirmation<R>,
  { rows, left, onDone }: { rows: readonly R[]; left: readonly R[]; onDone: () => void },
): Promise<void> {
  const { noun, verb, done, doing, isDanger } = of
  const others = left.length
  const errorTitle = `Could not ${verb} the ${noun}s`
  const options = of.canBeUndone ? undefined : await of.options?.(rows)
  const chosen = () => (options ? { ...of, task: options.task() } : of)
  const act = async (signal: AbortSignal) => {
    if (await asTask(chosen(), rows)) return onDone()
    const { failures, begun } = await settleAll(rows, { width: atOnce, signal }, (row) =>
      carryOut(of, row, options),
    )
    await of.after()
    const count = begun - failures.length
    if (count > 0)
      addToast({
        content: doing ? `${doing} ${countOf(count, noun)}` : `${countOf(count, noun)} ${done}`,
      })
    showFailures(of, failures)
    if (failures.length === 0) onDone()
  }
  if (of.canBeUndone && others === 0)
    return act(new AbortController().signal).catch((error: unknown) => toastFailure(errorTitle, error))
  const skipped = await reasonsFor(of, left)
  const size = sizeOf(rows)
  const note = await noteAbout(of, rows)
  confirmAction({
    modalTitle: `${capitalize(verb)} ${countOf(rows.length, noun)}`,
    modalContent: (
      <>
        <p>
          Are you sure you want to {verb} these{size && `, ${size} in all`}?
        </p>
        <ShortList items={rows} keyOf={idOf}>
          {(row) => labelIn(of, row)}
        </ShortList>
        {others > 0 && (
          <p>
            {countOf(others, noun)} of the selection {others === 1 ? 'is' : 'are'} in another state and{' '}
            {others === 1 ? 'stays' : 'stay'} as {others === 1 ? 'it is' : 'they are'}.
          </p>
        )}
        {skipped.length > 0 ? (
          <SkippedReasons skipped={skipped} />
        ) : (
          others > 0 && (
            <p className="wrap-anywhere text-ink">
              {someOf(
                left.map((row) => labelIn(of, row)),
                others,
              )}
            </p>
          )
        )}
        {options?.content}
        {note && <Note>{note}</Note>}
      </>
    ),
    errorTitle,
    actionType: isDanger ? 'danger' : 'primary',
    ...(verb === 'delete' && rows.length >= typedFrom ? { typeToConfirm: `delete ${rows.length}` } : {}),
    command: options ? async () => [requestsOf(chosen(), rows) ?? []].flat() : requestsOf(of, rows),
    doAction: act,
  })
}

/** The task, or the request for each of them. */
const requestsOf = <R extends object>(
  { task, request }: Confirmation<R>,
  rows: readonly R[],
): Requests | null => (task ? taskRequest(task, { ids: rows.map(idOf) }) : request ? rows.map(request) : null)

/** Leaves it to the server; false if it has no tasks. */
async function asTask<R extends object>(of: Confirmation<R>, rows: readonly R[]): Promise<boolean> {
  if (!of.task) return false
  const ids = rows.map(idOf)
  const task = await beginTask(of.task, { ids })
  // Without a connection the end is not reported; the activity panel has it.
  if (task) void followTask(task, of).catch(() => undefined)
  return task !== undefined
}

/** Reports the failed rows and their reasons: '2 disks could not be deleted'. */
function showFailures<R extends object>(
  of: Confirmation<R>,
  failures: readonly { item: R; error: unknown }[],
): void {
  const { noun, done } = of
  const [first] = failures
  if (!first) return
  const content = [
    ...failures
      .slice(0, maxFailures)
      .map(({ item, error }) => `${labelIn(of, item)}: ${errorMessage(error)}`),
    ...(failures.length > maxFailures ? [`and ${failures.length - maxFailures} more`] : []),
  ].join('; ')
  // The request is that of the first, whose reason is shown first.
  toastFailure(`${countOf(failures.length, noun)} could not be ${done}`, first.error, { content })
}
