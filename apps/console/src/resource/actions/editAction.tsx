import type { OpShape } from '@purlin/contract/op'
import { requestTo, sendRequest } from '#/api/request.ts'
import { lazily } from '#/lib/lazily.tsx'
import type { EditableRow, EditDialogProps, EditedValues } from '../form/EditDialog.tsx'
import { argsOf, roleFor, type Identified, type RowOp, type Scope } from '../kind.ts'
import type { Action } from './actions.tsx'

const EditDialog = lazily(() => import('../form/EditDialog.tsx'), 'EditDialog')

type Saving = Pick<EditDialogProps, 'save' | 'request'>

interface EditActionOf<R> {
  kind: EditDialogProps['kind']
  update: OpShape
  scope: Scope
  saving: (row: R) => Saving
}

/** Opens the dialog that changes name, description, tags and protection. */
export const editAction = <R extends EditableRow>(of: EditActionOf<R>): Action<R> => ({
  id: 'edit',
  label: 'Edit',
  role: roleFor(of.update),
  dialog: (row, close) => (
    <EditDialog
      key={row.id}
      kind={of.kind}
      row={row}
      scope={of.scope}
      {...of.saving(row)}
      onDismiss={close}
    />
  ),
})

/** Saves by an update that keeps all that its request leaves out. */
export const savingBy =
  <U extends RowOp>(kind: EditDialogProps['kind'], update: U) =>
  ({ id }: Identified): Saving => {
    const request = (changes: EditedValues) =>
      requestTo(update, { ...(argsOf(kind, update, { nameOrId: id }) as object), body: changes } as never)
    return {
      request,
      save: (changes) => sendRequest(request(changes)),
    }
  }
