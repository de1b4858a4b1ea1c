/** Asking before something is done with one resource. */
import type { ReactNode } from 'react'
import { errorMessage } from '#/api/errors.ts'
import { sendRequest } from '#/api/request.ts'
import { formatSize } from '#/lib/format.ts'
import { capitalize } from '#/lib/text.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { confirmAction } from './confirm.ts'
import { toastFailure } from './toasts.tsx'
import { carryOut, idOf, labelIn, type Confirmation, type Refusal } from './confirmation.tsx'

/** The size of all rows together; undefined if they have none. */
export const sizeOf = (rows: readonly object[]): string | undefined =>
  rows.every(hasSize) ? formatSize(rows.reduce((sum, row) => sum + row.size, 0)) : undefined
const hasSize = (row: object): row is { size: number } => 'size' in row && typeof row.size === 'number'

/** Asks about one row unless it can be undone, then does it. */
export async function askOne<R extends object>(of: Confirmation<R>, row: R): Promise<void> {
  const label = labelIn(of, row)
  const { noun, verb, done, doing, isDanger, typeToConfirm } = of
  const size = sizeOf([row])
  const options = of.canBeUndone ? undefined : await of.options?.([row])
  const errorTitle = of.errorTitle?.(row) ?? `Could not ${verb} ${noun}`
  const act = async () => {
    await carryOut(of, row, options)
    await of.after()
    const shown = <Highlight key={idOf(row)}>{label}</Highlight>
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
  }
  if (of.canBeUndone) return act().catch((error: unknown) => toastFailure(errorTitle, error))
  const refusal = await of.refusal?.(row).catch(() => undefined)
  if (refusal) return refusal.all ? askAboutAll(of, refusal, { errorTitle, label }) : refuse(of, refusal)
  const note = await noteAbout(of, [row])
  confirmAction({
    modalTitle: titleOf(of),
    modalContent: (
      <>
        <p>
          Are you sure you want to {verb} <Highlight>{label}</Highlight>
          {size && ` (${size})`}?
        </p>
        {options?.content}
        {note && <Note>{note}</Note>}
        {verb === 'delete' && <p>This cannot be undone.</p>}
      </>
    ),
    errorTitle,
    actionType: isDanger ? 'danger' : 'primary',
    ...(typeToConfirm ? { typeToConfirm: typeToConfirm(row) } : {}),
    command: options
      ? () => Promise.resolve([options.request(row)])
      : (of.request?.(row) ?? (of.command ? () => of.command?.(row) ?? Promise.resolve([]) : null)),
    doAction: act,
  })
}

const titleOf = ({ verb, noun }: Pick<Confirmation<never>, 'verb' | 'noun'>) => `${capitalize(verb)} ${noun}`

/** Shows why it cannot be done, and what to do first. */
const refuse = <R,>(of: Confirmation<R>, { reason }: Refusal): void =>
  confirmAction({
    modalTitle: titleOf(of),
    modalContent: <Note>{reason}</Note>,
    errorTitle: '',
    actionType: of.isDanger ? 'danger' : 'primary',
    disabledReason: `This ${of.noun} cannot be ${of.done} now`,
    command: null,
    doAction: () => Promise.resolve(),
  })

/** The same, and offers to delete it with all that is in the way. */
function askAboutAll<R>(
  of: Confirmation<R>,
  { reason, all }: Refusal,
  { errorTitle, label }: { errorTitle: string; label: string },
): void {
  if (!all) return
  const { note, typeToConfirm, request, run } = all
  confirmAction({
    modalTitle: titleOf(of),
    modalContent: (
      <>
        <Note>{reason}</Note>
        <Note>{note}</Note>
        <p>This cannot be undone.</p>
      </>
    ),
    confirmLabel: 'Delete all of it',
    errorTitle,
    actionType: 'danger',
    typeToConfirm,
    command: request,
    doAction: async () => {
      await (run ? run() : sendRequest(request))
      await of.after()
      if (!run) addToast({ content: `${capitalize(of.noun)} ${label} ${of.done}` })
    },
  })
}

/** The note, or that it could not be loaded: the dialog opens in any case. */
export async function noteAbout<R>({ note }: Confirmation<R>, rows: readonly R[]): Promise<ReactNode> {
  try {
    return await note?.(rows)
  } catch (error) {
    return `Could not load the resources that depend on it: ${errorMessage(error)}`
  }
}

/** The note, below the question. */
export const Note = ({ children }: { children: ReactNode }) =>
  typeof children === 'string' ? <p>{children}</p> : children
