import type { OpShape } from '@purlin/contract/op'
import { requestTo, sendRequest } from '#/api/request.ts'
import { lazily } from '#/lib/lazily.tsx'
import type { EditableKind, EditableRow, EditDialogProps, EditedValues, Saving } from '../form/EditDialog.tsx'
import { argsOf, roleFor, type Identified, type RowOp } from '../kind.ts'
import type { Action } from './actions.tsx'

const EditDialog = lazily(() => import('../form/EditDialog.tsx'), 'EditDialog')

interface EditActionOf extends Pick<EditDialogProps, 'kind' | 'scope' | 'saving'> {
  update: OpShape
}

/** Opens the dialog that changes name, description, tags and protection. */
export const editAction = ({ update, ...of }: EditActionOf): Action<EditableRow> => ({
  id: 'edit',
  label: 'Edit',
  role: roleFor(update),
  dialog: ({ id }, close) => <EditDialog key={id} id={id} {...of} onDismiss={close} />,
})

/** Saves by an update that keeps all that its request leaves out. */
export const savingBy =
  <U extends RowOp>(kind: Pick<EditableKind, 'name'>, update: U) =>
  ({ id }: Identified): Saving => {
    const request = (changes: EditedValues) =>
      requestTo(update, { ...(argsOf(kind, update, { nameOrId: id }) as object), body: changes } as never)
    return {
      request,
      save: (changes) => sendRequest(request(changes)),
    }
  }
